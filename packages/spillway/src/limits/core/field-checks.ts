/** What the fields of a limit may be: one check a field. All pure. */
import { DAY, milliseconds } from "./durations.ts";
import type { Problem } from "./errors.ts";
import { RATE_KINDS, type RateKind } from "./kinds.ts";
import { MOST_UNITS, type WhenUnavailable } from "./limit.ts";

/** What claims to be a limit. */
export type Fields = Record<string, unknown>;

const UNITS = `a whole number from 0 to ${MOST_UNITS}`;
const INSTANT = "an instant in whole milliseconds since 1970 UTC";
const MOST_SHARDS = 1000;
const SHARDS = `at most ${MOST_SHARDS}, the rate, and the capacity`;
/** The shortest time for which units are lent, in milliseconds: below it nothing is gained. */
const SHORTEST_SHARE = 100;
const ANY_SHARE = `${SHORTEST_SHARE} ms to 366 days, such as "10s"`;
/** The store keeps a lease for both, and a thousandth: together at most as long as any. */
const LONGEST_WITH_TTL = 365 * DAY;
const WHEN_UNAVAILABLE: readonly unknown[] = [
  "closed",
  "open",
  "local",
] satisfies WhenUnavailable[];
/** What a limit may say of a store that does not answer. */
const POLICIES = '"closed", "open" or "local"';
const PERIOD = 'whole milliseconds from 1 to 366 days, or text such as "10s", "1m", "12h", "30d"';

/** What is wrong with a limit's fields, if anything. */
export type Check = (fields: Fields) => Omit<Problem, "limit"> | undefined;

/** What concerns every kind. */
export const COMMON_CHECKS: readonly Check[] = [
  ({ whenUnavailable }) =>
    whenUnavailable === undefined ? undefined : policyProblem(whenUnavailable),
];

/** What concerns a concurrency limit. */
export const LEASE_CHECKS: readonly Check[] = [
  ({ capacity }) =>
    isUnits(capacity)
      ? undefined
      : { code: "bad-capacity", field: "capacity", value: capacity, expected: UNITS },
  ({ ttl }) =>
    milliseconds(ttl) !== undefined
      ? undefined
      : { code: "bad-ttl", field: "ttl", value: ttl, expected: PERIOD },
  ({ ttl, share }) => {
    const expected = placesShareOf(ttl, share);
    return expected === undefined
      ? undefined
      : { code: "bad-share", field: "share", value: share, expected };
  },
];

/** What concerns the numbers of a rate: one check a line of this list. */
export const RATE_CHECKS: readonly Check[] = [
  ({ rate }) =>
    isUnits(rate)
      ? undefined
      : { code: "bad-rate", field: "rate", value: rate, expected: UNITS, hint: slower(rate) },
  ({ period }) =>
    milliseconds(period) !== undefined
      ? undefined
      : { code: "bad-period", field: "period", value: period, expected: PERIOD },
  ({ kind, rate, capacity }) => {
    const expected = capacityOf(kind, rate, capacity);
    return expected && { code: "bad-capacity", field: "capacity", value: capacity, ...expected };
  },
  ({ maxReserved }) =>
    maxReserved === undefined || isUnits(maxReserved)
      ? undefined
      : {
          code: "bad-max-reserved",
          field: "maxReserved",
          value: maxReserved,
          expected: UNITS,
          hint: "Leave it out to bound only the wait",
        },
  ({ start }) =>
    start === undefined || isInstant(start)
      ? undefined
      : {
          code: "bad-start",
          field: "start",
          value: start,
          expected: INSTANT,
          hint: start instanceof Date ? "Write `start: date.getTime()`" : undefined,
        },
  ({ kind, rate, capacity, shards }) => {
    const units = Math.min(Number(rate), Number(capacity ?? rate));
    const expected = shardsOf(kind, units, shards);
    return expected === undefined
      ? undefined
      : { code: "bad-shards", field: "shards", value: shards, expected };
  },
  (fields) => {
    const expected = shareOf(fields);
    return expected && { code: "bad-share", field: "share", value: fields.share, ...expected };
  },
];

/** What a share should have been, where it is wrong: see `Lent` of a limit. */
function shareOf({
  kind,
  period,
  shards,
  share,
}: Fields): Pick<Problem, "expected" | "hint"> | undefined {
  if (share === undefined) return undefined;
  const { windows, lentNumber } = RATE_KINDS[kind as RateKind];
  if (lentNumber === 0) {
    const hint = "Leave share out, or choose a token bucket, a fixed window or a sliding window";
    return { expected: `nothing, for units of a ${kind} can't be lent`, hint };
  }
  const ms = milliseconds(share) ?? 0;
  if (ms < SHORTEST_SHARE) return { expected: ANY_SHARE };
  if (shards !== undefined && shards !== 1) {
    const expected = "nothing beside `shards`, for units are lent from one budget";
    return { expected, hint: "Leave shards out: a key that is lent is asked for rarely" };
  }
  if (!windows || ms <= (milliseconds(period) as number)) return undefined;
  return {
    expected: "at most the period, for what is lent ends with its window",
    hint: "Leave share out where the period is so short, or choose a token bucket",
  };
}

/** What the share of a concurrency limit should have been, where it is wrong. */
function placesShareOf(ttl: unknown, share: unknown): string | undefined {
  if (share === undefined) return undefined;
  const ms = milliseconds(share) ?? 0;
  if (ms < SHORTEST_SHARE) return ANY_SHARE;
  const both = ms + (milliseconds(ttl) as number);
  return both > LONGEST_WITH_TTL ? "at most 365 days together with the ttl" : undefined;
}

/** What a capacity should have been, where it is wrong. */
function capacityOf(
  kind: unknown,
  rate: unknown,
  capacity: unknown,
): Pick<Problem, "expected" | "hint"> | undefined {
  if (capacity === undefined || capacity === rate) return undefined;
  if (!isUnits(capacity)) return { expected: UNITS };
  if (rate === 0) return { expected: "0, for nothing ever comes back at a rate of 0" };
  if (RATE_KINDS[kind as RateKind].holds) return undefined;
  return {
    expected: `the rate, ${rate}, for that is what a ${kind} can hold`,
    hint: "Leave capacity out, or choose a token bucket",
  };
}

/** How many shards were expected, where it is wrong: each needs a unit of its own. */
function shardsOf(kind: unknown, units: number, shards: unknown): string | undefined {
  if (shards === undefined || shards === 1) return undefined;
  if (RATE_KINDS[kind as RateKind].queues) return "1, for starts are spaced by one queue";
  const most = Math.max(1, Math.min(MOST_SHARDS, units));
  const fits = Number.isInteger(shards) && (shards as number) >= 1 && (shards as number) <= most;
  return fits ? undefined : `a whole number from 1 to ${most}: ${SHARDS}`;
}

/** What is wrong with what is to be answered while a store gives no answer. */
export function policyProblem(value: unknown): Omit<Problem, "limit"> | undefined {
  if (WHEN_UNAVAILABLE.includes(value)) return undefined;
  return { code: "bad-option", field: "whenUnavailable", value, expected: POLICIES };
}

function isUnits(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_UNITS;
}

/** What a `Date` can show, so that differences of instants stay exact. */
function isInstant(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= 8.64e15;
}

/** Rates below one are written as longer periods. */
function slower(rate: unknown): string | undefined {
  if (typeof rate !== "number" || !(rate > 0) || Number.isInteger(rate)) return undefined;
  return "Count in smaller units, or lengthen the period: not 0.5 a second, but 1 in two seconds";
}
