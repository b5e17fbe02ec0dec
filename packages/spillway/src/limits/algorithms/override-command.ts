/** Overrides of single keys: the definition that an override's numbers make of a limit. */
import {
  type Budget,
  type CommandOf,
  checkLimit,
  DAY,
  type Duration,
  FULL_STORES,
  type Limit,
  MOST_UNITS,
  milliseconds,
  type Plan,
  type Problem,
  SpillwayError,
} from "../core/index.ts";
import { limitOf } from "./limit-of.ts";
import { planFor } from "./plan.ts";

/** The length of an override that names none: 100 years, in milliseconds. */
const NO_END = 36_525 * DAY;

/** The numbers of an override, as callers give them. `limiter.override` says what each means. */
type OverrideNumbers = {
  readonly rate?: number;
  readonly capacity?: number;
  readonly unlimited?: true;
  readonly for?: Duration;
};

/** The part of a store that says whether it keeps overrides. */
type OverrideSupport = { readonly overrides?: true };

/**
 * Returns the command that overrides a budget's limit, or that ends its override. Pure.
 *
 * @param numbers The override; undefined ends the one in force.
 * @throws SpillwayError `no-overrides`; `bad-override` for misuse; `bad-rate`, `bad-capacity`,
 * `unknown-field`, `inexact-limit` if the limit can't have such numbers
 */
export function overrideCommand(
  store: OverrideSupport,
  budget: Budget,
  numbers?: OverrideNumbers,
): CommandOf<"override"> {
  checkSupport(store, budget);
  const { plan } = budget;
  const command = { verb: "override", budgets: [budget] } as const;
  if (numbers === undefined) return { ...command, plan, ms: 0 };
  const own = planFor(plan.limit, overriding(plan, numbers));
  return { ...command, plan: own, ms: lengthOf(plan.limit, numbers) };
}

/** @throws SpillwayError `no-overrides` */
function checkSupport({ overrides }: OverrideSupport, budget: Budget): void {
  const { plan, settings } = budget;
  const { shards = 1 } = settings ?? {};
  if (overrides !== true) throw noOverrides(plan, OF_STORES);
  if (plan.share > 0) throw noOverrides(plan, ofLimits("share", plan.share));
  if (shards > 1) throw noOverrides(plan, ofLimits("shards", shards));
}

type Support = Pick<Problem, "field" | "value" | "expected" | "hint">;

const OF_STORES: Support = {
  field: "store.overrides",
  value: undefined,
  expected: "true, of a store that keeps overrides",
  hint: FULL_STORES,
};

function ofLimits(field: "share" | "shards", value: number): Support {
  return {
    field,
    value,
    expected: `a limit without \`${field}\``,
    hint: "Its keys are kept in several parts. Give such a key a limit of its own",
  };
}

function noOverrides({ limit }: Plan, support: Support): SpillwayError {
  return new SpillwayError({ code: "no-overrides", limit, ...support });
}

/** Returns the definition that an override puts in place of a plan. */
function overriding(plan: Plan, { rate, capacity, unlimited }: OverrideNumbers): Limit {
  const { limit } = plan;
  const hasNumbers = rate !== undefined || capacity !== undefined;
  if (unlimited !== undefined) {
    if (unlimited === true && !hasNumbers) return unlimitedOf(plan);
    const expected = hasNumbers ? "nothing beside `rate` or `capacity`" : "true, or nothing";
    throw badOverride({ limit, field: "unlimited", value: unlimited, expected });
  }
  if (!hasNumbers) {
    const expected = "`rate`, `capacity` or `unlimited: true`";
    throw badOverride({ limit, field: "rate", value: rate, expected });
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

/** Whether a definition has a capacity of its own. One that was given is checked in any case. */
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

function lengthOf(limit: string, { for: length }: OverrideNumbers): number {
  if (length === undefined) return NO_END;
  const ms = milliseconds(length);
  if (ms !== undefined) return ms;
  const expected = 'milliseconds from 1 to 366 days, text such as "7d", or nothing for no end';
  throw badOverride({ limit, field: "for", value: length, expected });
}

type OverrideProblem = Pick<Problem, "limit" | "field" | "value" | "expected">;

function badOverride(problem: OverrideProblem): SpillwayError {
  return new SpillwayError({ code: "bad-override", ...problem });
}
