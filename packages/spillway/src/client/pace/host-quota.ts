/**
 * What is known of a quota between two answers: what is left, when it is back, and whose it is.
 *
 * Pure. Instants are milliseconds of a clock that never steps. A server says "so many seconds", rounded
 * up; each answer narrows down when that is over, as `early` and `late`.
 */
import type { Quota } from "../../http/advice/index.ts";

/** What is known of one quota. */
export type HostQuota = {
  readonly name: string;
  readonly unit: string;
  readonly capacity: number;
  /** How long a whole quota is for, as far as that is known. */
  readonly period: number | undefined;
  /** Units left at `at`, less those of requests that were under way then. */
  readonly spare: number;
  readonly at: number;
  /** It is back between these instants; undefined where nothing is said of it. */
  readonly back: { readonly early: number; readonly late: number } | undefined;
  /** What was left when the first answer since it was back came, and how many came after it. */
  readonly first: number;
  readonly own: number;
  /** Where units come back one by one: how many were used by all, while `own` were used here. */
  readonly used: number;
  /** Which part of what is used is used here, from 0 to 1; and what it was in the time before. */
  readonly part: number;
  readonly before: WeightedFraction;
  /** What was left by the last answer, and the most that any has said. */
  readonly remaining: number;
  readonly most: number;
  /** Whether units come back one by one, so that there is no instant at which all are. */
  readonly isRolling: boolean;
};

/** A part, and how many answers it is worth. */
type WeightedFraction = { readonly part: number; readonly weight: number };

/** When a request was sent and answered, and how many others were under way then. */
export type RequestTiming = {
  readonly sent: number;
  readonly received: number;
  readonly inFlight: number;
};

/** Alone, as far as anybody can know; one answer is worth as much. */
const ALONE: WeightedFraction = { part: 1, weight: 1 };
const KNOWN_WEIGHT = 4;

/** What is known after one more answer. */
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
  // Answers overtake each other: the one with the least left is the latest.
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

/** Where more is left, all may have come back at once. */
const NEARLY_ALL = 0.9;

/**
 * Whether of a request that was sent after the last answer no unit is missing, though the quota was not
 * back meanwhile: one unit was.
 */
function comesBackOneByOne(known: HostQuota, quota: Quota, timing: RequestTiming): boolean {
  const { back, at, capacity } = known;
  const { remaining } = quota;
  if (back === undefined || remaining === 0 || remaining >= NEARLY_ALL * capacity) return false;
  if (isBackSince(known, quota, boundsOf(quota, timing))) return timing.received < back.early;
  return timing.sent >= at && remaining >= known.remaining;
}

/** How much of what is known of others holds on from one answer to the next. */
const MEMORY = 0.9;

/** Each answer says it all, but for the part of others: what was used is what came back and is not left. */
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

/** The first answer since the quota is back, or the first at all. */
function begin(quota: Quota, timing: RequestTiming, before: WeightedFraction): HostQuota {
  const { name, unit, remaining } = quota;
  return {
    name,
    unit,
    capacity: Math.max(quota.capacity ?? 0, remaining + 1),
    // A reset of 0 says that it is over, not how long it was.
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

/** It is back: what was learnt of the others who use it holds on. */
function again(known: HostQuota, quota: Quota, timing: RequestTiming): HostQuota {
  const { capacity, part } = known;
  // So much can't have been used in no time: it comes back one by one.
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

/** Between when it was sent and when the answer was there, the server has read its clock. */
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

/** `own` answers while so many units were used by all: weighed with what was known before. */
function partOf(
  before: WeightedFraction,
  { own, used }: { readonly own: number; readonly used: number },
) {
  const { part, weight } = before;
  const seen = (own + part * weight) / (Math.max(own, used) + weight);
  return Math.min(1, Math.max(seen, 1e-3));
}
