/** Work that is done elsewhere: by ten workers, each with one job at a time, and jobs in a queue. */
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { spin, type Work } from "./work.ts";

/** How fast the workers are in a span of a load: at a share of 0.1, a job takes ten times as long. */
export type Pace = { readonly ms: number; readonly share: number };

const WORKERS = 10;
/** Milliseconds. */
const JOB = 20;
/** Milliseconds of this process's own work. */
const OWN = 0.2;

/** The first span begins with the first job; after the last, the pace is as usual. */
export function pool(paces: readonly Pace[]): Work {
  const share = paceOf(paces);
  const waiting: (() => void)[] = [];
  let free = WORKERS;
  return async () => {
    spin(OWN);
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    await setTimeout(JOB / share());
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
}

function paceOf(paces: readonly Pace[]): () => number {
  let start: number | undefined;
  return () => {
    start ??= performance.now();
    let left = performance.now() - start;
    for (const { ms, share } of paces) {
      if (left < ms) return share;
      left -= ms;
    }
    return 1;
  };
}
