/**
 * The parts of a limit, one for each region: limits themselves, that add up to exactly the whole. Pure.
 *
 * A token bucket's rate is divided as a fraction, so that no unit is too many or too few in the long run: a
 * rate of 10 a second has parts of 20 and 10 in three seconds. Whatever counts whole units, which windows and places
 * do, is divided by largest remainder.
 */
import { limitOf, planFor } from "../../limits/algorithms/index.ts";
import {
  type Limit,
  type Plan,
  RATE_KINDS,
  type RateKind,
  SpillwayError,
} from "../../limits/core/index.ts";

/** What regions weigh, in the order of their names: the same in every process. */
export type Weights = readonly number[];

/** The longest period that a limit can have, in milliseconds. */
const LONGEST_PERIOD = 366 * 86_400_000;

/** The plans of all parts, in the order of their weights. @throws SpillwayError `bad-region`, `inexact-limit` */
export function partPlans(plan: Plan, weights: Weights, hold: number): readonly Plan[] {
  if (plan.queues) {
    const expected = "nothing over several regions, for starts are spaced by one queue";
    const hint = "Choose a token bucket, or keep this limit in one region's store";
    throw badPart(plan, { field: "kind", value: plan.kind, expected, hint });
  }
  const capacities = wholeParts(plan.capacity, weights);
  const debts = plan.maxReserved < Infinity ? wholeParts(plan.maxReserved, weights) : undefined;
  const paces = pacesOf(plan, weights);
  checkUnits(plan, "capacity", capacities);
  return weights.map((_, region) => {
    const pace = paces[region] as Pace;
    const capacity = capacities[region] as number;
    const maxReserved = debts?.[region] ?? plan.maxReserved;
    return planFor(plan.limit, lending(plan, { ...pace, capacity, maxReserved }, hold));
  });
}

type Pace = Pick<Plan, "rate" | "period">;
type Numbers = Pace & Pick<Plan, "capacity" | "maxReserved">;

/** A part as a limit of which units can be lent, if those of its kind can be. */
function lending(plan: Plan, numbers: Numbers, hold: number): Limit {
  const limit = limitOf(plan, numbers);
  const traits = RATE_KINDS[plan.kind as RateKind];
  if (traits === undefined || traits.lentNumber === 0) return limit;
  const wanted = plan.share > 0 ? plan.share : hold;
  const share = traits.windows ? Math.min(wanted, numbers.period) : wanted;
  return { ...limit, share } as Limit;
}

function pacesOf(plan: Plan, weights: Weights): readonly Pace[] {
  const { rate, period } = plan;
  if (plan.refillPerMs > 0) return weights.map((weight) => fraction(plan, weight, sum(weights)));
  const rates = wholeParts(rate, weights);
  if (plan.kind !== "concurrency") checkUnits(plan, "rate", rates);
  return rates.map((part) => ({ rate: part, period }));
}

/** weight/all of a rate, in lowest terms: in a longer period, where need be. */
function fraction(plan: Plan, weight: number, all: number): Pace {
  const [units, ms] = [plan.rate * weight, plan.period * all];
  const divisor = greatestCommonDivisor(units, ms);
  const pace = { rate: units / divisor, period: ms / divisor };
  if (pace.period <= LONGEST_PERIOD && pace.rate <= 1e9) return pace;
  const expected = "a rate whose parts can be computed, in at most 366 days";
  throw badPart(plan, { field: "rate", value: plan.rate, expected, hint: SIMPLER });
}

/** Whole units by largest remainder; where remainders are the same, the first regions have one more. */
export function wholeParts(units: number, weights: Weights): readonly number[] {
  const all = sum(weights);
  const parts = weights.map((weight) => Math.floor((units * weight) / all));
  const remainders = weights.map((weight) => (units * weight) % all);
  const order = [...weights.keys()].sort(
    (one, other) => (remainders[other] as number) - (remainders[one] as number) || one - other,
  );
  for (const region of order.slice(0, units - sum(parts)))
    parts[region] = (parts[region] as number) + 1;
  return parts;
}

const SIMPLER = "Choose parts with small numbers, such as 2 and 1, or a larger limit";

function checkUnits(plan: Plan, field: "capacity" | "rate", parts: readonly number[]): void {
  const units = sum(parts);
  if (units === 0 || parts.every((part) => part > 0)) return;
  const expected = "so many units that each region has one of them";
  throw badPart(plan, { field, value: units, expected, hint: SIMPLER });
}

type PartProblem = {
  readonly field: string;
  readonly value: unknown;
  readonly expected: string;
  readonly hint: string;
};

function badPart({ limit }: Plan, problem: PartProblem): SpillwayError {
  return new SpillwayError({ code: "bad-region", limit, ...problem });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
