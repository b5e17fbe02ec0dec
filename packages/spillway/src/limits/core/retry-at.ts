import { type Clock, checkedClock, systemClock } from "./clock.ts";
import type { Decision } from "./decision.ts";

/**
 * Returns the instant from which the same call may be admitted, to show to people: milliseconds
 * since 1970, `Infinity` if no wait helps.
 *
 * Don't use it for waiting: `retryAfter` is better, because a clock may be set in between. Call it
 * right after the decision, since it counts from now.
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
