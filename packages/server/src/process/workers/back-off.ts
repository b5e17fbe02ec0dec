/** Computes the delay before an ended worker is started again. */
import { MINUTE, SECOND } from "spillway/core";

const FIRST = 100;
const LONGEST = 10 * SECOND;
/** A worker that has served for this many milliseconds resets the delay. */
const STEADY = MINUTE;

/** The delay doubles with each end, from 100 ms to 10 s. */
export class BackOff {
  #failures = 0;

  /** The number of consecutive ends without a minute of service. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Returns the delay in milliseconds, after a worker that has served for this many milliseconds.
   */
  next(served: number): number {
    if (served >= STEADY) this.#failures = 0;
    return Math.min(LONGEST, FIRST * 2 ** this.#failures++);
  }
}
