/**
 * The parts of a limit: limits themselves, that add up to exactly the whole. Pure.
 *
 * What counts whole units is divided by largest remainder: windows and places do, and so do capacities. What drips back
 * can be divided exactly as well, as fractions in lowest terms: a rate of 10 a second has parts of 20 and 10 in three seconds.
 */
import { LONGEST, type Plan } from "../core/index.ts";
import type { Numbers } from "./limit-of.ts";
import { greatestDivisor } from "./ticks.ts";

/** What parts weigh: whole numbers of at least 1. */
export type Weights = readonly number[];

const MOST_RATE = 1e9;

/**
 * The numbers of each part, in the order of their weights. A part may have none of the units: whether that will do is
 * for the caller to say.
 *
 * @param rates Whether rates that drip back are divided in whole units of their period, which others always are, or exactly.
 * @returns undefined where exact rates are wanted, and one has no period that a limit can have.
 */
export function divide(
  plan: Plan,
  weights: Weights,
  { rates }: { readonly rates: "whole" | "exact" },
): readonly Numbers[] | undefined {
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

/** Whole units by largest remainder; where remainders are the same, the first parts have one more. */
export function divideUnits(units: number, weights: Weights): readonly number[] {
  const all = sum(weights);
  const parts = weights.map((weight) => Math.floor((units * weight) / all));
  const remainder = (part: number) => (units * (weights[part] as number)) % all;
  const order = [...weights.keys()].sort(
    (one, other) => remainder(other) - remainder(one) || one - other,
  );
  for (const part of order.slice(0, units - sum(parts))) parts[part] = (parts[part] as number) + 1;
  return parts;
}

type Pace = Pick<Plan, "rate" | "period">;

/** Each weight's fraction of a rate, in lowest terms: in a longer period, where need be. */
function exactPaces(plan: Plan, weights: Weights): readonly Pace[] | undefined {
  const all = sum(weights);
  const paces = weights.map((weight) => {
    const [units, ms] = [plan.rate * weight, plan.period * all];
    const divisor = greatestDivisor(units, ms);
    return { rate: units / divisor, period: ms / divisor };
  });
  const fits = ({ rate, period }: Pace) => period <= LONGEST && rate <= MOST_RATE;
  return paces.every(fits) ? paces : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
