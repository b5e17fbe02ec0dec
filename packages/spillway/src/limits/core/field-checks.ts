/** Checks the fields of a limit: one check a field. All functions are pure. */
import { DAY, milliseconds } from "./durations.ts";
import { type Problem, SpillwayError } from "./errors.ts";
import { RATE_KINDS, type RateKind } from "./kinds.ts";
import { LIMIT_MODES, MOST_UNITS, type WhenUnavailable } from "./limit.ts";
import { isInstant, isUnits } from "./numbers.ts";

/** A definition that has not been checked. */
export type UncheckedLimit = Record<string, unknown>;

const UNITS = `a whole number from 0 to ${MOST_UNITS}`;
const INSTANT = "an instant in whole milliseconds since 1970 UTC";
const MOST_SHARDS = 1000;
const SHARDS = `at most ${MOST_SHARDS}, the rate, and the capacity`;
/** The shortest time for which units are lent, in milliseconds: shorter ones bring no gain. */
const SHORTEST_SHARE = 100;
const ANY_SHARE = `${SHORTEST_SHARE} ms to 366 days, such as "10s"`;
/**
 * The store keeps a lease for the ttl, the share and a thousandth, which together must not exceed
 * the longest duration.
 */
const LONGEST_WITH_TTL = 365 * DAY;
const WHEN_UNAVAILABLE: readonly unknown[] = [
  "closed",
  "open",
  "local",
] satisfies WhenUnavailable[];
const MODES: readonly unknown[] = LIMIT_MODES;
/** The possible answers while a store is unavailable. */
const POLICIES = '"closed", "open" or "local"';
const PERIOD = 'whole milliseconds from 1 to 366 days, or text such as "10s", "1m", "12h", "30d"';

/** The expected value of a field, in words. */
type Expectation = Pick<Problem, "expected" | "hint">;

/** The check of one field. Returns undefined if the field is valid. */
export type FieldCheck = {
  readonly field: string;
  readonly code: Problem["code"];
  readonly wanted: (fields: UncheckedLimit) => Expectation | undefined;
};

/** Checks one field. @throws SpillwayError with the check's code */
export function checkField(
  { field, code, wanted }: FieldCheck,
  fields: UncheckedLimit,
  limit?: string,
) {
  const found = wanted(fields);
  if (found !== undefined) {
    throw new SpillwayError({ limit, code, field, value: fields[field], ...found });
  }
}

/** The check of the answer while a store is unavailable. */
export const POLICY_CHECK: FieldCheck = {
  field: "whenUnavailable",
  code: "bad-option",
  wanted: ({ whenUnavailable: value }) =>
    expectUnless(value === undefined || WHEN_UNAVAILABLE.includes(value), { expected: POLICIES }),
};

/** The check of a mode. */
export const MODE_CHECK: FieldCheck = {
  field: "mode",
  code: "bad-mode",
  wanted: ({ mode: value }) =>
    expectUnless(value === undefined || MODES.includes(value), {
      expected: '"enforce", "shadow" or "off"',
    }),
};

const GROUPS_CHECK: FieldCheck = {
  field: "groups",
  code: "bad-groups",
  wanted: ({ groups: value }) =>
    expectUnless(value === undefined || isListOfNames(value), {
      expected: 'names of groups, such as ["logins"]',
    }),
};

/** The checks of a concurrency limit. */
export const LEASE_CHECKS: readonly FieldCheck[] = [
  {
    field: "capacity",
    code: "bad-capacity",
    wanted: ({ capacity }) => expectUnless(isUnits(capacity), { expected: UNITS }),
  },
  {
    field: "ttl",
    code: "bad-ttl",
    wanted: ({ ttl }) => expectUnless(milliseconds(ttl) !== undefined, { expected: PERIOD }),
  },
  { field: "share", code: "bad-share", wanted: placesShareOf },
  POLICY_CHECK,
  MODE_CHECK,
  GROUPS_CHECK,
];

/** The checks of a rate: one a field, in this order. */
export const RATE_CHECKS: readonly FieldCheck[] = [
  {
    field: "rate",
    code: "bad-rate",
    wanted: ({ rate }) => expectUnless(isUnits(rate), { expected: UNITS, hint: slower(rate) }),
  },
  {
    field: "period",
    code: "bad-period",
    wanted: ({ period }) => expectUnless(milliseconds(period) !== undefined, { expected: PERIOD }),
  },
  { field: "capacity", code: "bad-capacity", wanted: capacityOf },
  {
    field: "maxReserved",
    code: "bad-max-reserved",
    wanted: ({ maxReserved: most }) =>
      expectUnless(most === undefined || isUnits(most), {
        expected: UNITS,
        hint: "Leave it out to bound only the wait",
      }),
  },
  { field: "start", code: "bad-start", wanted: startOf },
  { field: "shards", code: "bad-shards", wanted: shardsOf },
  { field: "share", code: "bad-share", wanted: shareOf },
  POLICY_CHECK,
  MODE_CHECK,
  GROUPS_CHECK,
];

function expectUnless(isRight: boolean, wanted: Expectation): Expectation | undefined {
  return isRight ? undefined : wanted;
}

/** Describes a valid share if this one is invalid. */
function shareOf({ kind, period, shards, share }: UncheckedLimit): Expectation | undefined {
  if (share === undefined) return undefined;
  const { windows, lentNumber } = RATE_KINDS[kind as RateKind];
  if (lentNumber === 0) {
    const hint = "Leave share out, or choose a token bucket, a fixed window or a sliding window";
    return { expected: `nothing: units of a ${kind} can't be lent`, hint };
  }
  const ms = milliseconds(share) ?? 0;
  if (ms < SHORTEST_SHARE) return { expected: ANY_SHARE };
  if (shards !== undefined && shards !== 1) {
    const expected = "nothing beside `shards`: units are lent from one budget";
    return {
      expected,
      hint: "Leave shards out: the store is rarely called for a key whose units are lent",
    };
  }
  const expected = "at most the period: lent units end with their window";
  const hint = "Leave share out for so short a period, or choose a token bucket";
  return expectUnless(!windows || ms <= (milliseconds(period) as number), { expected, hint });
}

/** Describes a valid share of a concurrency limit if this one is invalid. */
function placesShareOf({ ttl, share }: UncheckedLimit): Expectation | undefined {
  if (share === undefined) return undefined;
  const ms = milliseconds(share) ?? 0;
  if (ms < SHORTEST_SHARE) return { expected: ANY_SHARE };
  const both = ms + (milliseconds(ttl) as number);
  return expectUnless(both <= LONGEST_WITH_TTL, {
    expected: "at most 365 days together with the ttl",
  });
}

/** Describes a valid capacity if this one is invalid. */
function capacityOf({ kind, rate, capacity }: UncheckedLimit): Expectation | undefined {
  if (capacity === undefined || capacity === rate) return undefined;
  if (!isUnits(capacity)) return { expected: UNITS };
  if (rate === 0) return { expected: "0: nothing comes back at a rate of 0" };
  const expected = `the rate, ${rate}, which is all that a ${kind} can hold`;
  const hint = "Leave capacity out, or choose a token bucket";
  return expectUnless(RATE_KINDS[kind as RateKind].holds, { expected, hint });
}

/** Describes a valid start if this one is invalid. */
function startOf({ start }: UncheckedLimit): Expectation | undefined {
  const hint = start instanceof Date ? "Write `start: date.getTime()`" : undefined;
  return expectUnless(start === undefined || isInstant(start), { expected: INSTANT, hint });
}

/**
 * Describes a valid number of shards if this one is invalid: each shard needs a unit of its own.
 */
function shardsOf({ kind, rate, capacity, shards }: UncheckedLimit): Expectation | undefined {
  if (shards === undefined || shards === 1) return undefined;
  if (RATE_KINDS[kind as RateKind].queues) {
    return { expected: "1: one queue spaces the starts" };
  }
  const units = Math.min(Number(rate), Number(capacity ?? rate));
  const most = Math.max(1, Math.min(MOST_SHARDS, units));
  const fits = Number.isInteger(shards) && (shards as number) >= 1 && (shards as number) <= most;
  return expectUnless(fits, { expected: `a whole number from 1 to ${most}: ${SHARDS}` });
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string" && name !== "");
}

/** Suggests how to write a rate below one: as a longer period. */
function slower(rate: unknown): string | undefined {
  if (typeof rate !== "number" || !(rate > 0) || Number.isInteger(rate)) return undefined;
  return "Count in smaller units, or lengthen the period: not 0.5 a second, but 1 in two seconds";
}
