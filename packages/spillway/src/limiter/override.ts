/** Overrides of single keys: the definition that an override's numbers make of a limit. */
import { isOptions, notOptions } from "../internal/index.ts";
import { limitOf, planFor } from "../limits/algorithms/index.ts";
import {
  type Budget,
  checkLimit,
  DAY,
  type Limit,
  MOST_UNITS,
  milliseconds,
  type Plan,
  SpillwayError,
} from "../limits/core/index.ts";
import type { OverrideOptions } from "./options.ts";

/** The length of an override that names none: 100 years, in milliseconds. */
const NO_END = 36_525 * DAY;

/** An override that was checked: the key's own plan, and its length. */
export type CheckedOverride = { readonly plan: Plan; readonly ms: number };

/**
 * Returns what an override's options mean for a budget.
 *
 * @throws SpillwayError `bad-override` for misuse; `bad-rate`, `bad-capacity`, `unknown-field`,
 * `inexact-limit` if the limit can't have such numbers
 */
export function checkedOverride(
  store: { readonly overrides?: true },
  budget: Budget,
  options: OverrideOptions,
): CheckedOverride {
  checkSupport(store, budget);
  const { plan } = budget;
  const own = planFor(plan.limit, overriding(plan, options));
  return { plan: own, ms: lengthOf(plan.limit, options) };
}

/** @throws SpillwayError `no-overrides` */
export function checkSupport({ overrides }: { readonly overrides?: true }, budget: Budget): void {
  const { plan, settings } = budget;
  if (overrides !== true) throw noOverrides(plan, "a store that keeps overrides", OTHER_STORES);
  if (plan.share > 0) throw noOverrides(plan, "a limit without `share`", UNDIVIDED);
  if ((settings?.shards ?? 1) > 1) throw noOverrides(plan, "a limit without `shards`", UNDIVIDED);
}

const OTHER_STORES = "memory, SQLite, Postgres and Redis keep them";
const UNDIVIDED = "a limit that is spread over several budgets has one definition for all keys";

function noOverrides({ limit }: Plan, expected: string, hint: string): SpillwayError {
  return new SpillwayError({ code: "no-overrides", limit, field: "limit", expected, hint });
}

/** Returns the definition that an override puts in place of a plan. */
function overriding(plan: Plan, { rate, capacity, unlimited }: OverrideOptions): Limit {
  const { limit } = plan;
  if (unlimited !== undefined) {
    if (unlimited !== true) throw badOverride(limit, "unlimited", unlimited, "true, or nothing");
    if (rate === undefined && capacity === undefined) return unlimitedOf(plan);
    throw badOverride(limit, "unlimited", unlimited, "nothing beside `rate` or `capacity`");
  }
  if (rate === undefined && capacity === undefined) {
    throw badOverride(limit, "rate", rate, "`rate`, `capacity` or `unlimited: true`");
  }
  const follows = plan.capacity === plan.rate ? rate : undefined;
  const most = capacity ?? follows;
  const definition = {
    ...limitOf(plan),
    ...(rate !== undefined && { rate }),
    ...(most !== undefined && hasCapacity(plan, capacity) && { capacity: most }),
  };
  checkLimit(limit, definition);
  return definition;
}

/** Whether a definition has a capacity of its own. If one was given where none is, its check says. */
function hasCapacity({ reservable, family }: Plan, given: number | undefined): boolean {
  return reservable || family.name === "leases" || given !== undefined;
}

/**
 * Returns a limit that refuses nothing: for rates a bucket that is full again after a millisecond.
 */
function unlimitedOf({ kind, period }: Plan): Limit {
  return kind === "concurrency"
    ? { kind, capacity: MOST_UNITS, ttl: period }
    : { kind: "token bucket", rate: MOST_UNITS, period: 1 };
}

function lengthOf(limit: string, { for: length }: OverrideOptions): number {
  if (length === undefined) return NO_END;
  const ms = milliseconds(length);
  if (ms !== undefined) return ms;
  const expected = 'milliseconds from 1 to 366 days, text such as "7d", or nothing for no end';
  throw badOverride(limit, "for", length, expected);
}

function badOverride(
  limit: string,
  field: string,
  value: unknown,
  expected: string,
): SpillwayError {
  return new SpillwayError({ code: "bad-override", limit, field, value, expected });
}

/** @throws SpillwayError `bad-ask` if they are no options */
export function checkOverrideOptions(limit: string, options: unknown): void {
  if (isOptions(options, ["rate", "capacity", "unlimited"])) return;
  const problem = notOptions(options, "options such as { key: userId, rate: 100 }");
  throw new SpillwayError({ code: "bad-ask", limit, ...problem });
}
