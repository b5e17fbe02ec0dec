import type { Signal } from "../signal.ts";
import { type LoopTimes, loopTimes } from "./host.ts";
import { type Counter, type CounterInterval, sinceLast } from "./since-last.ts";

/**
 * The share of its time that the event loop of this thread worked since the last read: 0 to 1.
 *
 * For work that JavaScript itself does. It sees nothing of waiting for a slow database, and 1 alone
 * is no trouble: a loop that works through batches is always busy, and late for nobody; take
 * `eventLoopDelay` with it. Each read ends a window, so that one reader alone gets whole ones: read
 * it about once a second. Undefined where the runtime does not count, as in browsers.
 *
 * @param read The loop's times since it began; the runtime's own unless given.
 */
export function eventLoopUtilization(read: Counter<LoopTimes> = loopTimes): Signal {
  return sinceLast(read, activeShare);
}

function activeShare({ before, now }: CounterInterval<LoopTimes>): number | undefined {
  const active = now.active - before.active;
  const all = active + now.idle - before.idle;
  // Zero: no time has passed, the loop has yet to begin, or the runtime counts nothing.
  // Rounding can make it a little more than 1, as if something else were wrong.
  return all > 0 ? Math.min(1, active / all) : undefined;
}
