import { elapsed, systemClock } from "../limits/core/index.ts";

/** An instant by two clocks of this process, in milliseconds. */
export type ClockReading = {
  /** By a clock that never steps, and that stops while the machine sleeps. */
  readonly elapsed: number;
  /** By the machine's clock, which continues during sleep, and which may step. */
  readonly wall: number;
};

/** Reads both clocks. */
export function readNow(): ClockReading {
  return { elapsed: elapsed(), wall: systemClock() };
}

/** Returns the instant `ms` milliseconds after another. */
export function laterBy(ms: number, { elapsed, wall }: ClockReading): ClockReading {
  return { elapsed: elapsed + ms, wall: wall + ms };
}

/**
 * Returns the milliseconds until an instant, by the clock that has advanced further.
 *
 * One of the clocks may have stepped back, or the other stopped.
 */
export function msUntil(instant: ClockReading, now: ClockReading): number {
  return Math.min(instant.elapsed - now.elapsed, instant.wall - now.wall);
}
