/** Computes how fast to send so that a quota lasts until it is back. All functions are pure. */
import type { HostQuota } from "./host-quota.ts";

/**
 * A rate in requests a millisecond, and the instant from which requests may be sent; 0 for any
 * time.
 */
export type SendRate = { readonly rate: number; readonly from: number };

/**
 * Returns how many requests to expect in a time in milliseconds: those that wait, and a forecast of
 * new ones.
 */
export type RequestForecast = (ms: number) => number;

const UNBOUND: SendRate = { rate: Number.POSITIVE_INFINITY, from: 0 };

/** The fraction of a shared quota that is not used, because its other users see changes late. */
const LEFT_OVER = 0.02;
/** A client that accounts for at least this fraction of a quota's use is assumed to be alone. */
const ALONE = 0.9;
/** Requests are not slowed down while at least this many times the expected requests are left. */
const AMPLE_FACTOR = 1.5;
/**
 * The factor above the even rate that requests may reach, to catch up with units not used before.
 */
const CATCH_UP = 1.5;

/**
 * Returns how fast a quota allows requests to be sent now.
 *
 * There is no bound while more than enough is left for the expected requests. Otherwise the quota
 * is spread: this client's part of what is left, divided by the time until the quota is back.
 */
export function speedOf(quota: HostQuota, now: number, forecast: RequestForecast): SendRate {
  const { back, period, capacity, spare, isRolling } = quota;
  if (back === undefined) return spare > 0 ? UNBOUND : { rate: 1e-3, from: 0 };
  if (isRolling) return rollingSpeed(quota, now, forecast);
  if (now < back.late) return until(quota, { spare, end: back.late, now, forecast });
  if (period === undefined) return UNBOUND;
  // The quota is back, but no answer has reported it yet.
  const times = Math.floor((now - back.late) / period);
  const start = back.late + times * period;
  const fresh = { ...quota, at: start };
  return until(fresh, { spare: capacity, end: start + period, now, forecast });
}

/**
 * Returns how fast to send if units come back one by one. The rate is proportional to the units
 * left. It equals the refill rate if half of the maximum ever reported is left, or as many units as
 * come back until the named reset, whichever is less.
 */
function rollingSpeed(quota: HostQuota, now: number, forecast: RequestForecast): SendRate {
  const { back, at, period, capacity, spare, most, part } = quota;
  const late = back?.late ?? now;
  const left = Math.max(1, late - at);
  if (spare <= 0) return { rate: now < late ? 0 : 1 / left, from: late };
  if (AMPLE_FACTOR * forecast(left) <= spare * part) return UNBOUND;
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
  readonly forecast: RequestForecast;
};

function until(quota: HostQuota, { spare, end, now, forecast }: RemainingQuota): SendRate {
  const { part, capacity, at, period } = quota;
  const isShared = part < ALONE;
  const margin = isShared ? Math.max(1, Math.ceil(capacity * LEFT_OVER)) : 0;
  const usable = Math.max(0, spare - margin) * part;
  if (usable <= 0) return { rate: 0, from: end };
  if (AMPLE_FACTOR * forecast(end - now) <= usable) return UNBOUND;
  // Others have used the same fraction of the quota as has passed of the time since `at`. So the
  // ratio is unchanged.
  const rate = usable / Math.max(1, end - (isShared ? at : now));
  const even = period === undefined ? rate : (capacity * part) / period;
  return { rate: Math.min(rate, CATCH_UP * even), from: 0 };
}

/** Returns the slower of two: the lower rate and the later instant. */
export function slower(one: SendRate, other: SendRate): SendRate {
  return { rate: Math.min(one.rate, other.rate), from: Math.max(one.from, other.from) };
}

export const AS_FAST_AS_WANTED = UNBOUND;
