/** Work of 5 ms in a process that does not run smoothly. */
import { performance } from "node:perf_hooks";
import { spin, type Work } from "./work.ts";

const COST = 5;
/** Milliseconds from one pause to the next, and of each. */
const PAUSE = { every: 2500, ms: 300 } as const;

/** Something else blocks the event loop now and then. */
export function blocked(): Work {
  setInterval(() => spin(PAUSE.ms), PAUSE.every);
  return () => spin(COST);
}

/** Requests whose objects are alive at a time: enough for the collector to have to move them. */
const ALIVE = 30;

/** Each allocates as much as it can, and what it allocated lives on for a while. */
export function garbage(): Work {
  const alive: unknown[] = [];
  let next = 0;
  return () => {
    const end = performance.now() + COST;
    const made: unknown[] = [];
    while (performance.now() < end) made.push(objects());
    alive[next++ % ALIVE] = made;
  };
}

function objects(): unknown[] {
  return Array.from({ length: 100 }, (_, index) => ({ index, text: `text ${index}` }));
}
