import { laterBy, type Reading } from "../../internal/index.ts";
import type { Clock } from "../../limits/core/index.ts";

export type { Reading };

/** Clocks of store and process may differ by a thousandth. */
export const DRIFT = 0.999;
/** A millisecond by which the store's clock is rounded, and one by which a reading may be old. */
export const ROUNDING = 2;

/** The instant until which something may surely be used that the store lets go after so many milliseconds. */
export function surelyUntil(sent: Reading, ms: number): Reading {
  return laterBy(ms * DRIFT - ROUNDING, sent);
}

/** By the clock that has gone further: one may have stepped back, the other stood still. */
export function hasCome(instant: Reading, now: Reading): boolean {
  return now.elapsed >= instant.elapsed || now.wall >= instant.wall;
}

/**
 * Reads both clocks; the one that never steps only where the other shows another millisecond, so that it is up
 * to a millisecond old. That halves what a decision costs.
 *
 * It is older where nothing was read for a time and the machine's clock has stepped back by just that time: for
 * the rest of one millisecond, until that clock shows another. Only a second clock in each decision could tell.
 */
export class Readings {
  readonly #clock: Clock;
  readonly #elapsed: () => number;
  #last: Reading = { elapsed: Number.NaN, wall: Number.NaN };

  constructor(clock: Clock, elapsed: () => number) {
    this.#clock = clock;
    this.#elapsed = elapsed;
  }

  now(): Reading {
    const wall = this.#clock();
    if (wall !== this.#last.wall) this.#last = { elapsed: this.#elapsed(), wall };
    return this.#last;
  }

  /** Both, as they are now: for what is to be counted from. */
  exactly(): Reading {
    this.#last = { elapsed: this.#elapsed(), wall: this.#clock() };
    return this.#last;
  }
}
