import { type Clock, checkedClock, systemClock } from "./clock.ts";
import type { Decision } from "./decision.ts";

/**
 * The instant from which on the same call may be admitted, for who shows one: milliseconds since 1970, `Infinity` where no
 * wait helps.
 *
 * Not for waiting, which `retryAfter` is better for: a clock may be set meanwhile. Make it at once, for it is counted from now.
 *
 * @param clock The time, in whole milliseconds since 1970. Default: the machine's clock.
 * @throws SpillwayError `bad-clock`
 * @example
 * const { ok, ...refused } = limiter.limit("exports", { key: "user 7" });
 * if (!ok) console.log(`From ${new Date(retryAt(refused)).toLocaleTimeString()} on`);
 */
export function retryAt(
  { retryAfter }: Pick<Decision, "retryAfter">,
  clock: Clock = systemClock,
): number {
  return checkedClock(clock)() + retryAfter;
}
