/**
 * The arithmetic of penalty records: what one more refusal makes of it, and how long it matters.
 *
 * All functions are pure.
 */
import type { PenaltyRecord, PenaltySettings } from "../core/index.ts";

/** The highest level. Doubled this often, a block of 1 ms is longer than the longest. */
const MOST_LEVEL = 35;

const NONE: PenaltyRecord = { refusals: 0, until: 0, level: 0, forgottenAt: 0 };

/** Returns a record as of `now`, without refusals and a level that count no more. */
function present(record: PenaltyRecord = NONE, now: number): PenaltyRecord {
  const { refusals, until, level, forgottenAt } = record;
  return {
    ...(until > now ? { refusals, until } : { refusals: 0, until: 0 }),
    ...(forgottenAt > now ? { level, forgottenAt } : { level: 0, forgottenAt: 0 }),
  };
}

/**
 * Returns a record after one more refusal that counts. The first one begins a window of `within`.
 */
export function afterRefusal(
  record: PenaltyRecord | undefined,
  { within }: PenaltySettings,
  now: number,
): PenaltyRecord {
  const before = present(record, now);
  const { refusals, until } = before;
  return { ...before, refusals: refusals + 1, until: refusals === 0 ? now + within : until };
}

/** Returns the length of the next penalty, in milliseconds: doubled for each one before. */
export function penaltyTime({ level }: PenaltyRecord, { block, most }: PenaltySettings): number {
  return Math.min(block * 2 ** level, most);
}

/** Returns a record after a penalty began that ends at an instant. Its refusals start anew. */
export function afterPenalty(
  { level }: PenaltyRecord,
  { most }: PenaltySettings,
  end: number,
): PenaltyRecord {
  const next = Math.min(level + 1, MOST_LEVEL);
  return { refusals: 0, until: end, level: next, forgottenAt: end + most };
}

/**
 * Returns a record without its refusals, and without what has ended; undefined if nothing is left.
 * A penalty in force and the level stay.
 */
export function withoutRefusals(
  record: PenaltyRecord | undefined,
  now: number,
): PenaltyRecord | undefined {
  const left = present(record, now);
  const { until } = isPenalty(left, now) ? left : NONE;
  return until === 0 && left.level === 0 ? undefined : { ...left, refusals: 0, until };
}

/** Returns a record whose penalty, if one is in force, has ended early. The level stays. */
export function withoutPenalty(record: PenaltyRecord | undefined): PenaltyRecord | undefined {
  return record === undefined || record.refusals > 0 ? record : { ...record, until: 0 };
}

/** Whether a penalty is in force. Then the key's block ends with it. */
export function isPenalty(record: PenaltyRecord | undefined, now: number): boolean {
  return record !== undefined && record.refusals === 0 && record.until > now;
}

/** Returns the milliseconds for which a record still matters; 0 or less if it does not. */
export function recordLeft(record: PenaltyRecord | undefined, now: number): number {
  return record === undefined ? 0 : Math.max(record.until, record.forgottenAt) - now;
}
