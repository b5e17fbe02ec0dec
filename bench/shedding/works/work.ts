/** What a request is for. */
import { performance } from "node:perf_hooks";

/** Does it once; the response follows. */
export type Work = () => void | Promise<void>;

/**
 * Uses the processor for so many milliseconds by the clock.
 *
 * By the clock, not by a number of steps: the room stays the same when the machine's speed changes.
 */
export function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
