import type { Clock } from "../limits/core/index.ts";

/** A clock that only its methods move. */
export type ManualClock = Clock & {
  /** Moves by whole milliseconds; negative numbers move it back. */
  advance(ms: number): void;
  /**
   * Sets the clock to an instant, in milliseconds since 1970. It may be earlier than the current
   * one.
   */
  set(instant: number): void;
};

/** Creates a clock for tests that shows `start`. Default: 2026-01-01T00:00:00Z. */
export function manualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  return Object.assign(() => now, {
    advance(ms: number) {
      now += ms;
    },
    set(instant: number) {
      now = instant;
    },
  });
}
