/** How fast to send, so that what is left of a quota lasts until it is back. Pure. */
import type { HostQuota } from "./host-quota.ts";

/** Requests a millisecond; where none may be sent, the instant from which on some may. */
export type SendRate = { readonly rate: number; readonly from: number };

/** How many requests are wanted: those that wait, and a guess of what comes in a time. */
export type RequestForecast = (ms: number) => number;

const UNBOUND: SendRate = { rate: Number.POSITIVE_INFINITY, from: 0 };

/** Others who use the same quota see it later than it changes: this part of it is left to that. */
const LEFT_OVER = 0.02;
/** Who uses at least this part of a quota is taken to be alone. */
const ALONE = 0.9;
/** What is wanted is sent as fast as one likes where so many times as much is left. */
const AMPLE_FACTOR = 1.5;
/** How much faster than evenly, to catch up with what was not used before. */
const CATCH_UP = 1.5;

/**
 * How fast a quota allows to send now.
 *
 * As fast as one likes, as long as `ENOUGH` of what is wanted is left; then so that it lasts: what is
 * left, divided by the time that is left, of which others have their part.
 */
export function speedOf(standing: HostQuota, now: number, demand: RequestForecast): SendRate {
  const { back, period, capacity, spare, isRolling } = standing;
  if (back === undefined) return spare > 0 ? UNBOUND : { rate: 1e-3, from: 0 };
  if (isRolling) return rollingSpeed(standing, now, demand);
  if (now < back.late) return until(standing, { spare, end: back.late, now, demand });
  if (period === undefined) return UNBOUND;
  // It is back, and no answer has said so yet.
  const times = Math.floor((now - back.late) / period);
  const start = back.late + times * period;
  const fresh = { ...standing, at: start };
  return until(fresh, { spare: capacity, end: start + period, now, demand });
}

/**
 * Units that come back one by one: as fast as they do where half of what was ever left is left, or as
 * much as comes back until the time that is said; faster where there is more, slower where there is less.
 */
function rollingSpeed(standing: HostQuota, now: number, demand: RequestForecast): SendRate {
  const { back, at, period, capacity, spare, most, part } = standing;
  const late = back?.late ?? now;
  const left = Math.max(1, late - at);
  if (spare <= 0) return { rate: now < late ? 0 : 1 / left, from: late };
  if (AMPLE_FACTOR * demand(left) <= spare * part) return UNBOUND;
  if (period === undefined) return { rate: spare / left, from: 0 };
  const even = (part * capacity) / period;
  return {
    rate: (even * spare) / Math.max(1, Math.min((capacity / period) * left, most / 2)),
    from: 0,
  };
}

type RemainingQuota = {
  readonly spare: number;
  readonly end: number;
  readonly now: number;
  readonly demand: RequestForecast;
};

function until(standing: HostQuota, { spare, end, now, demand }: RemainingQuota): SendRate {
  const { part, capacity, at, period } = standing;
  const isShared = part < ALONE;
  const margin = isShared ? Math.max(1, Math.ceil(capacity * LEFT_OVER)) : 0;
  const usable = Math.max(0, spare - margin) * part;
  if (usable <= 0) return { rate: 0, from: end };
  if (AMPLE_FACTOR * demand(end - now) <= usable) return UNBOUND;
  // Others have used as much of it since as has gone by of the time: the ratio is the same.
  const rate = usable / Math.max(1, end - (isShared ? at : now));
  const even = period === undefined ? rate : (capacity * part) / period;
  return { rate: Math.min(rate, CATCH_UP * even), from: 0 };
}

/** The slower of two. */
export function slower(one: SendRate, other: SendRate): SendRate {
  return { rate: Math.min(one.rate, other.rate), from: Math.max(one.from, other.from) };
}

export const AS_FAST_AS_WANTED = UNBOUND;
