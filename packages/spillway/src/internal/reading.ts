import { elapsed, systemClock } from "../limits/core/index.ts";

/** An instant by two clocks of this process, in milliseconds. */
export type Reading = {
  /** Of a clock that never steps, and stands still while the machine sleeps. */
  readonly elapsed: number;
  /** Of the machine's clock, which goes on then, and may step. */
  readonly wall: number;
};

/** Both clocks, as they are now. */
export function readNow(): Reading {
  return { elapsed: elapsed(), wall: systemClock() };
}

/** The instant that comes so many milliseconds after another. */
export function laterBy(ms: number, { elapsed, wall }: Reading): Reading {
  return { elapsed: elapsed + ms, wall: wall + ms };
}

/** Milliseconds until an instant, by the clock that has gone further: one may have stepped back, the other stood still. */
export function msUntil(instant: Reading, now: Reading): number {
  return Math.min(instant.elapsed - now.elapsed, instant.wall - now.wall);
}
