import type { Clock } from "../limits/core/index.ts";

/** A clock that stands still until it is moved. */
export type ManualClock = Clock & {
  /** Goes on by whole milliseconds; back by negative ones. */
  advance(ms: number): void;
  /** Goes to an instant, in milliseconds since 1970; it may be an earlier one. */
  set(instant: number): void;
};

/** Makes a clock for tests. Default: it shows 2026-01-01T00:00:00Z. */
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
