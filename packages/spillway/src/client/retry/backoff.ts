/**
 * How long to wait if the server names no time: exponential, with full jitter. Pure, except for
 * `random`.
 */
import type { Random } from "../../limits/core/index.ts";

/** The bounds of the random wait, in milliseconds. */
export type BackoffSettings = {
  /** The bound before the second attempt: 1 to an hour. */
  readonly first: number;
  /** The bound before any attempt: `first` to a day. */
  readonly most: number;
};

/**
 * Returns the milliseconds before the next attempt: random, from 0 to a bound that doubles with
 * each attempt.
 *
 * Full jitter (M. Brooker, Exponential Backoff and Jitter, 2015): requests that failed together
 * return spread over the whole time.
 *
 * @param attempts The number of attempts so far, from 1.
 */
export function backoff(attempts: number, settings: BackoffSettings, random: Random): number {
  const { first, most } = settings;
  return Math.ceil(random() * Math.min(most, first * 2 ** Math.min(30, attempts - 1)));
}
