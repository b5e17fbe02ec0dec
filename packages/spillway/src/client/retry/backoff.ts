/** How long to wait where nobody says: exponential, with full jitter. Pure, but for the chance it is given. */
import type { Random } from "../../limits/core/index.ts";

/** Milliseconds. */
export type BackoffSettings = {
  /** The most before the second attempt: 1 to an hour. */
  readonly first: number;
  /** The most before any: `first` to a day. */
  readonly most: number;
};

/**
 * Milliseconds before the next attempt, after so many: from 0 up to a bound that doubles each time.
 *
 * Full jitter (M. Brooker, Exponential Backoff and Jitter, 2015): those that failed together come back
 * spread over the whole of the time.
 */
export function backoff(attempts: number, settings: BackoffSettings, random: Random): number {
  const { first, most } = settings;
  return Math.ceil(random() * Math.min(most, first * 2 ** Math.min(30, attempts - 1)));
}
