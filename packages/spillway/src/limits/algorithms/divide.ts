/**
 * Divides a limit into parts, which are limits themselves and add up to exactly the whole. Pure.
 *
 * Whole units are divided by largest remainder: windows, places and capacities. Rates that refill
 * continuously can also be divided exactly, as fractions in lowest terms. For example, 10 units a
 * second become 20 and 10 units in three seconds.
 */
import { LONGEST, type Plan } from "../core/index.ts";
import type { PlanNumbers } from "./limit-of.ts";
import { greatestDivisor } from "./ticks.ts";

/** The weights of parts: whole numbers of at least 1. */
export type PartWeights = readonly number[];

const MOST_RATE = 1e9;

/**
 * Returns the numbers of each part, in the order of the weights. A part may have no units; the
 * caller decides whether that is acceptable.
 *
 * @param rates How to divide rates that refill continuously: in whole units of their period, as all
 * others always are, or exactly.
 * @returns undefined if exact rates are required, and one of them has a rate or period that no
 * limit can have.
 */
export function divide(
  plan: Plan,
  weights: PartWeights,
  { rates }: { readonly rates: "whole" | "exact" },
): readonly PlanNumbers[] | undefined {
  const { period, maxReserved } = plan;
  const isExact = rates === "exact" && plan.refillPerMs > 0;
  const paces = isExact
    ? exactPaces(plan, weights)
    : divideUnits(plan.rate, weights).map((rate) => ({ rate, period }));
  const capacities = divideUnits(plan.capacity, weights);
  const debts = maxReserved < Infinity ? divideUnits(maxReserved, weights) : undefined;
  return paces?.map((pace, part) => ({
    ...pace,
    capacity: capacities[part] as number,
    maxReserved: debts?.[part] ?? maxReserved,
  }));
}

/**
 * Divides whole units by largest remainder. If remainders are equal, the first parts have one more.
 */
export function divideUnits(units: number, weights: PartWeights): readonly number[] {
  const all = sum(weights);
  const parts = weights.map((weight) => Math.floor((units * weight) / all));
  const remainder = (part: number) => (units * (weights[part] as number)) % all;
  const order = [...weights.keys()].sort(
    (one, other) => remainder(other) - remainder(one) || one - other,
  );
  for (const part of order.slice(0, units - sum(parts))) parts[part] = (parts[part] as number) + 1;
  return parts;
}

type PlanRate = Pick<Plan, "rate" | "period">;

/** Returns each weight's fraction of a rate in lowest terms, in a longer period if necessary. */
function exactPaces(plan: Plan, weights: PartWeights): readonly PlanRate[] | undefined {
  const all = sum(weights);
  const paces = weights.map((weight) => {
    const [units, ms] = [plan.rate * weight, plan.period * all];
    const divisor = greatestDivisor(units, ms);
    return { rate: units / divisor, period: ms / divisor };
  });
  const fits = ({ rate, period }: PlanRate) => period <= LONGEST && rate <= MOST_RATE;
  return paces.every(fits) ? paces : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
