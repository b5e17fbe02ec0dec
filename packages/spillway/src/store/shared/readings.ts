import type { Clock } from "../../core/index.ts";

/** An instant by two clocks of this process, in milliseconds. */
export type Reading = {
  /** Of a clock that never steps, and stands still while the machine sleeps. */
  readonly elapsed: number;
  /** Of the machine's clock, which goes on then, and may step. */
  readonly wall: number;
};

/**
 * Reads both clocks; the one that never steps only where the other shows another millisecond, so that it is up
 * to a millisecond old. That halves what a decision costs.
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
