import type { Signal } from "../signal.ts";
import { type LoopTimes, loopTimes } from "./host.ts";
import { type Counter, type CounterInterval, sinceLast } from "./since-last.ts";

/**
 * Creates a signal: the share of time that the event loop worked since the last read, 0 to 1.
 *
 * It measures the loop of this thread, for work that JavaScript itself does. It does not show waits
 * on a slow database. A value of 1 alone is not an overload: a loop that works through batches is
 * always busy but delays no request. So use it together with `eventLoopDelay`. Each read ends a
 * window, so use one reader, about once a second. Undefined if the runtime does not measure, as in
 * browsers.
 *
 * @param read Returns the loop's times since it began. Default: those of the runtime.
 */
export function eventLoopUtilization(read: Counter<LoopTimes> = loopTimes): Signal {
  return sinceLast(read, activeShare);
}

function activeShare({ before, now }: CounterInterval<LoopTimes>): number | undefined {
  const active = now.active - before.active;
  const all = active + now.idle - before.idle;
  // Zero: no time has passed, the loop has not begun, or the runtime measures nothing. Rounding can
  // make it slightly more than 1, which would look like another problem.
  return all > 0 ? Math.min(1, active / all) : undefined;
}
