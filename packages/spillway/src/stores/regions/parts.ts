/**
 * Divides a limit into parts, one for each region: limits themselves, whose units can be lent.
 * Pure.
 *
 * Rates that refill continuously are divided exactly, so that no unit is gained or lost in the long
 * run.
 */
import { divide, limitOf, planFor } from "../../limits/algorithms/index.ts";
import {
  type Limit,
  type Plan,
  type Problem,
  RATE_KINDS,
  type RateKind,
  SpillwayError,
} from "../../limits/core/index.ts";

/** The weights of regions, ordered by region name, so that they are the same in every process. */
export type RegionWeights = readonly number[];

/**
 * Returns the plans of all parts, in the order of their weights. @throws SpillwayError
 * `bad-region`, `inexact-limit`
 */
export function partPlans(plan: Plan, weights: RegionWeights, hold: number): readonly Plan[] {
  if (plan.queues) {
    const expected = "nothing over several regions: one queue spaces the starts";
    const hint = "Choose a token bucket, or keep this limit in one region's store";
    throw badPart(plan, { field: "kind", value: plan.kind, expected, hint });
  }
  const parts = divide(plan, weights, { rates: "exact" });
  if (parts === undefined) {
    const expected = "a rate whose parts can be computed, in at most 366 days";
    throw badPart(plan, { field: "rate", value: plan.rate, expected, hint: SIMPLER });
  }
  if (plan.kind !== "concurrency") checkUnits(plan, "rate", parts);
  checkUnits(plan, "capacity", parts);
  return parts.map((numbers) => planFor(plan.limit, lending(plan, numbers, hold)));
}

type PartNumbers = Pick<Plan, "rate" | "period" | "capacity" | "maxReserved">;

/** Returns a part as a limit that lends units, if its kind can. */
function lending(plan: Plan, numbers: PartNumbers, hold: number): Limit {
  const limit = limitOf({ ...plan, share: 0 }, numbers);
  const traits = RATE_KINDS[plan.kind as RateKind];
  if (traits === undefined || traits.lentNumber === 0) return limit;
  const wanted = plan.share > 0 ? plan.share : hold;
  const share = traits.windows ? Math.min(wanted, numbers.period) : wanted;
  return { ...limit, share } as Limit;
}

const SIMPLER = "Choose parts with small numbers, such as 2 and 1, or a larger limit";

function checkUnits(plan: Plan, field: "capacity" | "rate", parts: readonly PartNumbers[]): void {
  const value = plan[field];
  if (value === 0 || parts.every((part) => part[field] > 0)) return;
  const expected = "at least one unit for each region";
  throw badPart(plan, { field, value, expected, hint: SIMPLER });
}

function badPart({ limit }: Plan, problem: Omit<Problem, "code" | "limit">): SpillwayError {
  return new SpillwayError({ code: "bad-region", limit, ...problem });
}
