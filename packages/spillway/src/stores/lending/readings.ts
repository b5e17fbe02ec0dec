import { type ClockReading, laterBy } from "../../internal/index.ts";
import type { Clock } from "../../limits/core/index.ts";

export type { ClockReading };

/** Clocks of store and process may differ by a thousandth. */
export const DRIFT = 0.999;
/** One millisecond by which the store's clock is rounded, and one by which a reading may be old. */
export const ROUNDING = 2;

/**
 * Returns the instant until which something is surely usable that the store keeps for `ms`
 * milliseconds.
 */
export function surelyUntil(sent: ClockReading, ms: number): ClockReading {
  return laterBy(ms * DRIFT - ROUNDING, sent);
}

/** Uses the clock that is further ahead: one may have stepped back, and the other stood still. */
export function hasCome(instant: ClockReading, now: ClockReading): boolean {
  return now.elapsed >= instant.elapsed || now.wall >= instant.wall;
}

/**
 * Reads both clocks. The monotonic one is read only when the other shows a new millisecond, so it
 * may be up to a millisecond old. That halves the cost of a decision.
 *
 * The reading is older if nothing was read for a time, and the machine's clock has stepped back by
 * just that time: then for the rest of one millisecond. Only a second clock in each decision could
 * detect it.
 */
export class Readings {
  readonly #clock: Clock;
  readonly #elapsed: () => number;
  #last: ClockReading = { elapsed: Number.NaN, wall: Number.NaN };

  constructor(clock: Clock, elapsed: () => number) {
    this.#clock = clock;
    this.#elapsed = elapsed;
  }

  now(): ClockReading {
    const wall = this.#clock();
    if (wall !== this.#last.wall) this.#last = { elapsed: this.#elapsed(), wall };
    return this.#last;
  }

  /** Reads both clocks now, for durations that begin here. */
  exactly(): ClockReading {
    this.#last = { elapsed: this.#elapsed(), wall: this.#clock() };
    return this.#last;
  }
}
