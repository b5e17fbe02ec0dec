/**
 * Tracks a quota between two answers: what is left, when it resets, and which fraction of its use
 * is this client's.
 *
 * All functions are pure. Instants are milliseconds of a monotonic clock. A server reports a reset
 * in whole seconds, rounded up. Each answer narrows down its instant, which lies between `early`
 * and `late`.
 */
import type { Quota } from "../../http/advice/index.ts";

/** Everything known of one quota of a host. */
export type HostQuota = {
  readonly name: string;
  readonly unit: string;
  readonly capacity: number;
  /** The milliseconds that a whole quota is for; undefined if that is not known. */
  readonly period: number | undefined;
  /** Units left at `at`, less those of requests that were under way then. */
  readonly spare: number;
  readonly at: number;
  /** The quota is back between these instants; undefined if the server names none. */
  readonly back: { readonly early: number; readonly late: number } | undefined;
  /**
   * The units left by the first answer since the quota was back; and the number of answers after
   * it.
   */
  readonly first: number;
  readonly own: number;
  /** If units come back one by one: the units used by all clients, while `own` were used here. */
  readonly used: number;
  /**
   * The fraction of all use that is this client's, from 0.001 to 1; and the same in the previous
   * period.
   */
  readonly part: number;
  readonly before: WeightedFraction;
  /** The units left by the latest answer, and the maximum that any answer has reported. */
  readonly remaining: number;
  readonly most: number;
  /** Whether units come back one by one, so that there is no instant at which all are back. */
  readonly isRolling: boolean;
};

/** A fraction, and the number of answers that it counts for. */
type WeightedFraction = { readonly part: number; readonly weight: number };

/** When a request was sent and answered, and how many others were under way then. */
export type RequestTiming = {
  readonly sent: number;
  readonly received: number;
  readonly inFlight: number;
};

/**
 * The first assumption: this client is alone, which counts for one answer. And the maximum weight,
 * in answers, of the fraction of the previous period.
 */
const ALONE: WeightedFraction = { part: 1, weight: 1 };
const KNOWN_WEIGHT = 4;

/** Returns what is known after one more answer. Pure. */
export function learn(
  known: HostQuota | undefined,
  quota: Quota,
  timing: RequestTiming,
): HostQuota {
  if (known === undefined) return begin(quota, timing, ALONE);
  if (known.isRolling || comesBackOneByOne(known, quota, timing)) return roll(known, quota, timing);
  const back = boundsOf(quota, timing);
  if (isBackSince(known, quota, back)) return again(known, quota, timing);
  const own = known.own + 1;
  // Answers may overtake each other: the one with the least left is the latest.
  const isLatest = quota.remaining <= known.remaining;
  return {
    ...known,
    capacity: Math.max(known.capacity, quota.capacity ?? 0),
    ...(isLatest && { spare: spareOf(quota, timing), at: timing.received }),
    remaining: Math.min(known.remaining, quota.remaining),
    back: narrowed(known.back, back),
    own,
    part: partOf(known.before, { own, used: known.first - quota.remaining }),
  };
}

/** The fraction of the capacity above which all units may have come back at once. */
const NEARLY_ALL = 0.9;

/**
 * Returns whether units come back one by one. They do if a request that was sent after the last
 * answer did not reduce the units left, although the quota was not back. A unit must have come back
 * in between.
 */
function comesBackOneByOne(known: HostQuota, quota: Quota, timing: RequestTiming): boolean {
  const { back, at, capacity } = known;
  const { remaining } = quota;
  if (back === undefined || remaining === 0 || remaining >= NEARLY_ALL * capacity) return false;
  if (isBackSince(known, quota, boundsOf(quota, timing))) return timing.received < back.early;
  return timing.sent >= at && remaining >= known.remaining;
}

/** The factor by which older knowledge of other clients counts less with each answer. */
const MEMORY = 0.9;

/**
 * Returns what is known of a quota whose units come back one by one. An answer does not report the
 * use by others. It is computed: the units that came back, minus the increase of the units left.
 */
function roll(known: HostQuota, quota: Quota, timing: RequestTiming): HostQuota {
  const next = begin(quota, timing, ALONE);
  const most = Math.max(known.most, quota.remaining);
  const capacity = quota.capacity ?? known.capacity;
  const { period } = quota;
  const rolling = { ...next, capacity, most, period, isRolling: true };
  if (period === undefined || !known.isRolling) return rolling;
  const cameBack = (capacity / period) * (timing.received - known.at);
  const used = Math.max(1, known.remaining - quota.remaining + cameBack) + known.used * MEMORY;
  const own = 1 + known.own * MEMORY;
  return { ...rolling, own, used, part: partOf(ALONE, { own, used }) };
}

/** Returns what the first answer since the quota is back, or the first of all, shows. */
function begin(quota: Quota, timing: RequestTiming, before: WeightedFraction): HostQuota {
  const { name, unit, remaining } = quota;
  return {
    name,
    unit,
    capacity: Math.max(quota.capacity ?? 0, remaining + 1),
    // A reset of 0 reports that the period is over, not how long it was.
    period: quota.period ?? (quota.resetAfter === 0 ? undefined : quota.resetAfter),
    spare: spareOf(quota, timing),
    at: timing.received,
    back: boundsOf(quota, timing),
    first: remaining,
    own: 0,
    used: 0,
    part: before.part,
    before,
    remaining,
    most: remaining,
    isRolling: false,
  };
}

/** Returns what is known of a quota that is back. What was learnt of its other users is kept. */
function again(known: HostQuota, quota: Quota, timing: RequestTiming): HostQuota {
  const { capacity, part } = known;
  // This client cannot have used that many units at once, so units come back one by one.
  if (quota.remaining < Math.max(capacity, quota.capacity ?? 0) / 2)
    return roll(known, quota, timing);
  const next = begin(quota, timing, { part, weight: Math.min(KNOWN_WEIGHT, known.own + 1) });
  const period = quota.period ?? Math.max(known.period ?? 0, quota.resetAfter ?? 0);
  return {
    ...next,
    capacity: quota.capacity ?? Math.max(capacity, next.capacity),
    period: period === 0 ? undefined : period,
  };
}

function spareOf({ remaining }: Quota, { inFlight }: RequestTiming): number {
  return Math.max(0, remaining - inFlight);
}

/**
 * Returns the bounds of the reset. The server read its clock after the request was sent, and before
 * the answer was received.
 */
function boundsOf(
  { resetAfter, resolution }: Quota,
  { sent, received }: RequestTiming,
): HostQuota["back"] {
  if (resetAfter === undefined) return undefined;
  return { early: sent + resetAfter - resolution, late: received + resetAfter };
}

function isBackSince(known: HostQuota, quota: Quota, back: HostQuota["back"]): boolean {
  if (known.back === undefined || back === undefined) return quota.remaining > known.first;
  return back.early > known.back.late;
}

function narrowed(known: HostQuota["back"], back: HostQuota["back"]): HostQuota["back"] {
  if (known === undefined || back === undefined) return back ?? known;
  const early = Math.max(known.early, back.early);
  const late = Math.min(known.late, back.late);
  return early <= late ? { early, late } : back;
}

/**
 * Returns this client's fraction of all use: `own` answers, while all clients used `used` units. It
 * is averaged with the earlier fraction, by weight.
 */
function partOf(
  before: WeightedFraction,
  { own, used }: { readonly own: number; readonly used: number },
) {
  const { part, weight } = before;
  const seen = (own + part * weight) / (Math.max(own, used) + weight);
  return Math.min(1, Math.max(seen, 1e-3));
}
