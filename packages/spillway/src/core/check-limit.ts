/** Whether something that claims to be a limit is one, and if not, how to say so helpfully. */
import { milliseconds } from "./durations.ts";
import { type Problem, SpillwayError } from "./errors.ts";
import { RATE_KINDS, type RateKind } from "./kinds.ts";
import { type Limit, MOST_UNITS, type WhenUnavailable } from "./limit.ts";
import { nearest } from "./suggest.ts";

/** The fields that every kind has. */
const FIELDS = ["kind", "whenUnavailable"];

/** The fields that each kind has beside those. */
const OWN_FIELDS: { readonly [kind: string]: readonly string[] } = {
  ...Object.fromEntries(
    Object.keys(RATE_KINDS).map((kind) => [kind, rateFields(kind as RateKind)]),
  ),
  concurrency: ["capacity", "ttl"],
};

function rateFields(kind: RateKind): readonly string[] {
  const { holds, windows } = RATE_KINDS[kind];
  const own = [...(holds ? ["maxReserved"] : []), ...(windows ? ["start"] : [])];
  return ["rate", "period", "shards", "capacity", ...own];
}

/** The fields that a limit of some kind can have. */
export const LIMIT_FIELDS: readonly string[] = [
  ...new Set([...FIELDS, ...Object.values(OWN_FIELDS).flat()]),
];

/** What other libraries call our fields. */
const OTHER_WORDS = new Map([
  ["limit", "rate"],
  ["max", "rate"],
  ["points", "rate"],
  ["tokens", "rate"],
  ["requests", "rate"],
  ["interval", "period"],
  ["window", "period"],
  ["windowMs", "period"],
  ["duration", "period"],
  ["ttl", "period"],
  ["burst", "capacity"],
  ["size", "capacity"],
  ["algorithm", "kind"],
  ["type", "kind"],
]);

/** The same, for a concurrency limit. */
const LEASE_WORDS = new Map([
  ["limit", "capacity"],
  ["max", "capacity"],
  ["maxConcurrent", "capacity"],
  ["concurrency", "capacity"],
  ["permits", "capacity"],
  ["rate", "capacity"],
  ["size", "capacity"],
  ["period", "ttl"],
  ["timeout", "ttl"],
  ["expires", "ttl"],
  ["duration", "ttl"],
  ["algorithm", "kind"],
  ["type", "kind"],
]);

const UNITS = `a whole number from 0 to ${MOST_UNITS}`;
const INSTANT = "an instant in whole milliseconds since 1970 UTC";
const MOST_SHARDS = 1000;
const SHARDS = `at most ${MOST_SHARDS}, the rate, and the capacity`;
const WHEN_UNAVAILABLE: readonly unknown[] = [
  "closed",
  "open",
  "local",
] satisfies WhenUnavailable[];
/** What a limit may say of a store that does not answer. */
const POLICIES = '"closed", "open" or "local"';
const PERIOD = 'whole milliseconds from 1 to 366 days, or text such as "10s", "1m", "12h", "30d"';

/**
 * Checks that a value is a limit. Pure.
 *
 * @throws SpillwayError naming the limit, the field, what was found and what was expected.
 */
export function checkLimit(name: string, value: unknown): asserts value is Limit {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new SpillwayError({
      code: "bad-limit",
      limit: name,
      field: "the limit",
      value,
      expected: 'an object such as { kind: "token bucket", rate: 10, period: "1m" }',
    });
  }
  const fields = value as Record<string, unknown>;
  checkKind(name, fields);
  checkFieldNames(name, fields);
  checkNumbers(name, fields);
}

function checkKind(name: string, { kind }: Record<string, unknown>): void {
  if (typeof kind === "string" && Object.hasOwn(OWN_FIELDS, kind)) return;
  const kinds = Object.keys(OWN_FIELDS);
  const near = typeof kind === "string" ? nearest(kind, kinds) : undefined;
  throw new SpillwayError({
    code: "bad-kind",
    limit: name,
    field: "kind",
    value: kind,
    expected: `one of ${kinds.map((known) => `"${known}"`).join(", ")}`,
    hint: near && `Did you mean "${near}"?`,
  });
}

function checkFieldNames(name: string, fields: Record<string, unknown>): void {
  const known = [...FIELDS, ...(OWN_FIELDS[String(fields.kind)] ?? [])];
  for (const field of Object.keys(fields)) {
    if (known.includes(field)) continue;
    const word = (fields.kind === "concurrency" ? LEASE_WORDS : OTHER_WORDS).get(field);
    const near = word ?? nearest(field, known);
    throw new SpillwayError({
      code: "unknown-field",
      limit: name,
      field,
      value: fields[field],
      expected: `a ${fields.kind} has ${known.join(", ")}`,
      hint: near && `Did you mean ${near}?`,
    });
  }
}

/** What is wrong with a limit's fields, if anything. */
type Check = (fields: Record<string, unknown>) => Omit<Problem, "limit"> | undefined;

/** What concerns every kind. */
const COMMON_CHECKS: readonly Check[] = [
  ({ whenUnavailable }) => (whenUnavailable === undefined ? undefined : policyOf(whenUnavailable)),
];

/** What concerns a concurrency limit. */
const LEASE_CHECKS: readonly Check[] = [
  ({ capacity }) =>
    isUnits(capacity)
      ? undefined
      : { code: "bad-capacity", field: "capacity", value: capacity, expected: UNITS },
  ({ ttl }) =>
    milliseconds(ttl) !== undefined
      ? undefined
      : { code: "bad-ttl", field: "ttl", value: ttl, expected: PERIOD },
];

/** What concerns the numbers of a rate: one check a line of this list. */
const RATE_CHECKS: readonly Check[] = [
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
          hint: "Leave it out for no bound",
        },
  ({ start }) =>
    start === undefined || isInstant(start)
      ? undefined
      : { code: "bad-start", field: "start", value: start, expected: INSTANT },
  ({ kind, rate, capacity, shards }) => {
    const units = Math.min(Number(rate), Number(capacity ?? rate));
    const expected = shardsOf(kind, units, shards);
    return expected === undefined
      ? undefined
      : { code: "bad-shards", field: "shards", value: shards, expected };
  },
];

function checkNumbers(name: string, fields: Record<string, unknown>): void {
  const ofKind = fields.kind === "concurrency" ? LEASE_CHECKS : RATE_CHECKS;
  for (const check of [...ofKind, ...COMMON_CHECKS]) {
    const problem = check(fields);
    if (problem !== undefined) throw new SpillwayError({ limit: name, ...problem });
  }
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

function policyOf(value: unknown): Omit<Problem, "limit"> | undefined {
  if (WHEN_UNAVAILABLE.includes(value)) return undefined;
  return { code: "bad-option", field: "whenUnavailable", value, expected: POLICIES };
}

/** Checks what is to be answered while a store gives no answer. @throws SpillwayError `bad-option` */
export function checkWhenUnavailable(value: unknown): asserts value is WhenUnavailable {
  const problem = policyOf(value);
  if (problem !== undefined) throw new SpillwayError(problem);
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
