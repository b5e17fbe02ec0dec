/** How long to wait before a worker that has ended is started again. */
import { MINUTE, SECOND } from "spillway/core";

const FIRST = 100;
const LONGEST = 10 * SECOND;
/** Milliseconds of service after which an end is the first one again. */
const STEADY = MINUTE;

/** Doubles from end to end, from 100 ms to 10 s. */
export class BackOff {
  #failures = 0;

  /** How many ends there were in a row without a minute of service. */
  get failures(): number {
    return this.#failures;
  }

  /** Milliseconds to wait, after a worker that has served for so long. */
  next(served: number): number {
    if (served >= STEADY) this.#failures = 0;
    return Math.min(LONGEST, FIRST * 2 ** this.#failures++);
  }
}
