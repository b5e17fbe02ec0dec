import { abandon } from "./abandon.ts";
import { SpillwayError } from "./errors.ts";

/**
 * Returns the time: whole milliseconds since 1970 UTC.
 *
 * It may step back or jump ahead; the laws hold all the same. An instant before 1970 counts as
 * 1970.
 */
export type Clock = () => number;

/** The machine's own clock; 0 for instants before 1970. */
export const systemClock: Clock = () => Math.max(0, Date.now());

/**
 * Returns a clock for a store: it never returns less than 0, which states can't hold.
 *
 * @throws SpillwayError `bad-clock` if it is not a function, or returns anything but whole
 * milliseconds.
 */
export function checkedClock(clock: Clock): Clock {
  // Returned as it is: a wrapper would cost a tenth of a decision in memory.
  if (clock === systemClock) return systemClock;
  const now: unknown = typeof clock === "function" ? clock() : clock;
  if (typeof clock === "function" && Number.isSafeInteger(now)) {
    return () => Math.max(0, clock());
  }
  abandon(now);
  const expected = "a function that returns whole milliseconds since 1970";
  const isPrivate = typeof now !== "number";
  throw new SpillwayError({ code: "bad-clock", field: "clock", value: now, isPrivate, expected });
}
