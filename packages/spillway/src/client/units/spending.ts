/** How fast to use what is left of a quota: the policy, by what is known of its users. Pure. */

import type { QuotaView } from "./quota-view.ts";
import type { RefillRate } from "./refill.ts";

/** The known state of a quota at an instant. */
export type QuotaState = {
  readonly now: number;
  readonly refill: RefillRate;
  /** The way of counting that is believed. */
  readonly view: QuotaView;
  /** Which part of it is used here, where it comes back all at once. */
  readonly part: number;
  /**
   * The average milliseconds from the sending of a request until its answer reports what is left.
   */
  readonly lag: number;
  /** When the last request was sent. */
  readonly lastSent: number;
};

/** Part of a quota that is kept: others see later what is used, and estimates err. */
const RESERVED_PART = 0.1;
const MOST_RESERVED_PART = 0.5;
/**
 * The part of the use by others within one lag that is added to the reserve. Their use may be that
 * much above the usual.
 */
const UNSEEN_PART = 0.4;
/** The fraction of the reserve below which nothing is sent. */
const FLOOR_OF_RESERVE = 0.2;
/** As much as is wanted is sent as fast as one likes where so many times as much is left. */
const PLENTY_FACTOR = 1.5;
/**
 * The factor above the even rate that requests may reach, to catch up with units not used before.
 */
const CATCH_UP_FACTOR = 1.5;
/** The least fraction that is tried here, however much others use. */
const LEAST_OWN_PART = 0.05;
/** A client that accounts for at least this fraction of a quota's use is assumed to be alone. */
const SOLE_USER_PART = 0.9;
/** Milliseconds between two attempts if it is not known when units come back. */
const TRY_EVERY_MS = 1000;

/** Units that are left beyond those a request needs; below 0 where it has to wait for more. */
export function spareFor(state: QuotaState, count: number): number {
  return state.view.track.left - neededFor(state, count);
}

/** Whether so much is left that as much as is wanted may be sent as fast as one likes. */
export function isPlenty(
  state: QuotaState,
  { spare, wanted }: { readonly spare: number; readonly wanted: number },
): boolean {
  return spare * partOf(state) >= PLENTY_FACTOR * wanted;
}

/**
 * Returns the rate at which this client should use units, in units a millisecond; `Infinity` if it
 * is not known.
 */
export function paceOf(state: QuotaState): number {
  const { refill, view, now } = state;
  const { average, isRolling } = refill;
  if (average === undefined) return Number.POSITIVE_INFINITY;
  const { left, others } = view.track;
  const least = LEAST_OWN_PART * average;
  if (isRolling) {
    const reserve = reserveOf(state);
    const own = Math.max(least, average - others);
    return (own * Math.max(left, FLOOR_OF_RESERVE * reserve)) / reserve;
  }
  const part = partOf(state);
  const even = (left * part) / Math.max(1, (view.end ?? now) - now);
  return Math.min(CATCH_UP_FACTOR * average * part, Math.max(least, even));
}

/** Returns the milliseconds until `missing` more units are left. */
export function untilMore({ refill, view, now, lastSent }: QuotaState, missing: number): number {
  const { rate } = refill;
  const { end, track } = view;
  if (end !== undefined) return Math.max(1, end - now);
  // If it is not known when units come back, one request is tried now and then.
  if (rate === 0) return Math.max(0, lastSent + TRY_EVERY_MS - now);
  return Math.max(1, missing / Math.max(LEAST_OWN_PART * rate, rate - track.others));
}

/** Returns the fraction of the quota's use that is this client's, as far as it is known. */
function partOf({ refill, view, part }: QuotaState): number {
  const { average, isRolling } = refill;
  if (!isRolling) return part;
  if (average === undefined) return 1;
  return Math.min(1, Math.max(LEAST_OWN_PART, 1 - view.track.others / average));
}

function reserveOf({ refill: { capacity }, view, lag }: QuotaState): number {
  const behind = Math.max(0, view.track.others) * lag * UNSEEN_PART;
  return Math.min(MOST_RESERVED_PART * capacity, RESERVED_PART * capacity + behind);
}

/** Units that have to be left for a request; no more than all of it, however much that uses. */
function neededFor(state: QuotaState, count: number): number {
  const { isRolling, capacity } = state.refill;
  const isShared = isRolling || partOf(state) < SOLE_USER_PART;
  const floor = isShared ? FLOOR_OF_RESERVE * reserveOf(state) : 0;
  return Math.min(count + floor, capacity * (1 - LEAST_OWN_PART));
}
