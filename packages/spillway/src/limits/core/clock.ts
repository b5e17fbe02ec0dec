import { abandon } from "./abandon.ts";
import { SpillwayError } from "./errors.ts";

/**
 * Returns the time: whole milliseconds since 1970 UTC.
 *
 * It may step back or jump ahead; the laws hold all the same. An instant before 1970 counts as 1970.
 */
export type Clock = () => number;

/** The machine's own clock; 0 while that shows an instant before 1970. */
export const systemClock: Clock = () => Math.max(0, Date.now());

/**
 * A clock as a store reads it: 0 where the one given is below 0, which states have no room for.
 *
 * @throws SpillwayError `bad-clock` for what is no function, or returns no whole milliseconds.
 */
export function checkedClock(clock: Clock): Clock {
  // As it is: a function around it would cost a tenth of a decision in memory.
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
