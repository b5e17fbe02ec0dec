/** What a request costs the server: a computation of a fixed amount, the same for every contender. */
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { median } from "../run.ts";

/** Steps of one timing; about a millisecond. */
const SAMPLE = 1_000_000;
const SAMPLES = 301;

/** Takes so many steps, each of which needs the one before: FNV-1a over their numbers. Pure. */
export function compute(steps: number): number {
  let hash = 2166136261;
  for (let step = 0; step < steps; step++) hash = Math.imul(hash ^ step, 16777619);
  return hash >>> 0;
}

/** The steps that this machine takes in so many milliseconds when it does nothing else. */
export function calibrate(ms: number): number {
  const times = Array.from({ length: SAMPLES }, () => {
    const start = performance.now();
    compute(SAMPLE);
    return performance.now() - start;
  });
  return Math.round((ms / median(times)) * SAMPLE);
}

/** How much a request costs, and how it is done. */
export type Effort = {
  readonly steps: number;
  /**
   * Turns of the event loop that they are spread over. In one turn, the server is done with a request
   * before it reads the next, and never has two in flight.
   */
  readonly turns: number;
};

/** Does the work of one request: at once where it has one turn. */
export function work({ steps, turns }: Effort): number | Promise<number> {
  return turns === 1 ? compute(steps) : workInTurns({ steps, turns });
}

async function workInTurns({ steps, turns }: Effort): Promise<number> {
  let hash = compute(steps / turns);
  for (let left = turns - 1; left > 0; left--) {
    await setImmediate();
    hash ^= compute(steps / turns);
  }
  return hash;
}
