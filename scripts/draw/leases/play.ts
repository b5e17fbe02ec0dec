/** What becomes of each job: from the library itself. */
import { type Lease, RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";
import { LENGTH } from "../pattern.ts";
import type { Step } from "../run.ts";
import { JOBS, type Job, LIMIT } from "./story.ts";

/** A lease as it was held. Times are milliseconds from the beginning. */
export type Held = {
  readonly at: number;
  /** When its holder ended, or died. */
  readonly left: number;
  /** When its units came back: at the same time, or when its ttl was over. */
  readonly freed: number;
  readonly renewed: readonly number[];
  /** The place that it is drawn at, from 0. */
  readonly place: number;
};

export type Play = {
  readonly asks: readonly { readonly at: number; readonly ok: boolean }[];
  readonly leases: readonly Held[];
  readonly steps: readonly Step[];
};

/** How often what is left is read. */
const EVERY = 100;

type Running = { readonly job: Job; readonly lease: Lease<"now">; readonly renewed: number[] };

export function play(): Play {
  const clock = manualClock();
  const limiter = new RateLimiter({ jobs: LIMIT }, { store: memoryStore({ clock }) });
  const origin = clock();
  const asks: { at: number; ok: boolean }[] = [];
  const running: Running[] = [];
  const steps: Step[] = [];
  for (let at = 0; at < LENGTH; at += EVERY) {
    clock.set(origin + at);
    for (const one of running) goOn(one, at);
    for (const job of JOBS.filter((one) => one.at === at)) {
      const lease = limiter.acquire("jobs");
      asks.push({ at, ok: lease.ok });
      if (lease.ok) running.push({ job, lease, renewed: [] });
    }
    const { remaining } = limiter.value("jobs");
    if (steps.at(-1)?.remaining !== remaining) steps.push({ at, remaining });
  }
  return { asks, leases: placed(running.map(heldBy)), steps };
}

function goOn({ job, lease, renewed }: Running, at: number): void {
  const age = at - job.at;
  if (age === job.work && !job.dies) lease.release();
  if (age >= job.work || job.renews === undefined || age % job.renews > 0) return;
  if (lease.renew()) renewed.push(at);
}

function heldBy({ job: { at, work, dies }, lease, renewed }: Running): Omit<Held, "place"> {
  const left = at + work;
  return { at, left, freed: dies ? (renewed.at(-1) ?? at) + lease.ttl : left, renewed };
}

/** Gives each lease the first place that is free. */
function placed(all: readonly Omit<Held, "place">[]): readonly Held[] {
  const free: number[] = Array.from({ length: LIMIT.capacity }, () => 0);
  return all.map((one) => {
    const place = free.findIndex((from) => from <= one.at);
    free[place] = one.freed;
    return { ...one, place };
  });
}
