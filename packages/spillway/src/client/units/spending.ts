/** Decides how fast to use the rest of a quota, by what is known of its users. Pure. */

import type { QuotaView } from "./quota-view.ts";
import type { RefillRate } from "./refill.ts";

/** The known state of a quota at an instant. */
export type QuotaState = {
  readonly now: number;
  readonly refill: RefillRate;
  /** The prediction by the way of counting that was right recently. */
  readonly view: QuotaView;
  /** The fraction of its use that is this client's, for a quota that comes back all at once. */
  readonly part: number;
  /**
   * The average milliseconds from the sending of a request until its answer reports what is left.
   */
  readonly lag: number;
  /** When the last request was sent. */
  readonly lastSent: number;
};

/**
 * The fraction of a quota that is kept in reserve, because others see changes late and estimates
 * are inexact; and its maximum.
 */
const RESERVED_PART = 0.1;
const MOST_RESERVED_PART = 0.5;
/**
 * The fraction of the use by others within one lag that is added to the reserve, because they may
 * use that much more than usual.
 */
const UNSEEN_PART = 0.4;
/** The fraction of the reserve below which nothing is sent. */
const FLOOR_OF_RESERVE = 0.2;
/** Requests are not slowed down while at least this many times the wanted units are left. */
const PLENTY_FACTOR = 1.5;
/**
 * The factor above the even rate that requests may reach, to catch up with units not used before.
 */
const CATCH_UP_FACTOR = 1.5;
/** The smallest fraction that this client uses, even if others use nearly everything. */
const LEAST_OWN_PART = 0.05;
/** A client that accounts for at least this fraction of a quota's use is assumed to be alone. */
const SOLE_USER_PART = 0.9;
/** Milliseconds between two requests if it is not known when units come back. */
const TRY_EVERY_MS = 1000;

/** Returns the units left beyond what a request needs; below 0 if it has to wait for more. */
export function spareFor(state: QuotaState, count: number): number {
  return state.view.track.left - neededFor(state, count);
}

/** Whether enough units are left that requests need not be slowed down. */
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
  // If it is not known when units come back, one request is sent every `TRY_EVERY_MS`.
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

/**
 * Returns the units that must be left before a request may be sent; never more than the quota can
 * hold, even if the request uses more.
 */
function neededFor(state: QuotaState, count: number): number {
  const { isRolling, capacity } = state.refill;
  const isShared = isRolling || partOf(state) < SOLE_USER_PART;
  const floor = isShared ? FLOOR_OF_RESERVE * reserveOf(state) : 0;
  return Math.min(count + floor, capacity * (1 - LEAST_OWN_PART));
}
