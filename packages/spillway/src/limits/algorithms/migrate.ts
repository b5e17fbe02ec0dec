/** Carries a state from one definition of a limit to another. Used units stay used. */
import type { Budget, Plan, State } from "../core/index.ts";
import { anchorOf } from "./anchor.ts";
import { unsettledAt } from "./ticks.ts";

/**
 * Converts a state from the plan that it was written under to another plan for the same budget.
 *
 * Used units stay used, to the fraction, rounded up. Until `now`, units came back at the old rate.
 * If the old limit allowed more than the new one could, the excess is dropped. So no wait is longer
 * than the new limit can impose. Reserved debt stays, as far as the new `maxReserved` allows.
 */
export function migrate(state: State, budget: Budget, now: number): void {
  const { plan } = budget;
  const from = state.plan as Plan;
  state.plan = plan;
  if (plan.kind === from.kind && plan.family.keep(state, plan, from, now)) return;
  const before = from.algorithm.used(state, from, now);
  const used = Math.min(convert(before, from, plan), mostKept(before, from, plan));
  const unsettled = Math.min(used, convert(unsettledAt(state, from, now), from, plan));
  const initial = { used, unsettled, anchor: anchorOf(budget) };
  plan.family.begin(state, plan, initial, Math.max(now, state.since));
}

/**
 * Returns the maximum number of ticks of a plan that count as used if `used` ticks are used under
 * another plan. Includes debt.
 */
export function mostKept(used: number, from: Plan, to: Plan): number {
  const debt = convert(Math.max(0, used - from.capacityTicks), from, to);
  return to.capacityTicks + Math.min(debt, to.debtTicks);
}

/**
 * Whether two plans are of the same limit. How long units are lent may differ, but not whether they
 * are.
 */
export function agree(one: Plan, other: Plan): boolean {
  return (
    one.kind === other.kind &&
    one.rate === other.rate &&
    one.period === other.period &&
    one.capacity === other.capacity &&
    one.maxReserved === other.maxReserved &&
    one.start === other.start &&
    one.share > 0 === other.share > 0
  );
}

/** Converts ticks of one plan to ticks of another, rounded up. */
function convert(ticks: number, from: Plan, to: Plan): number {
  if (from.ticksPerUnit === to.ticksPerUnit) return ticks;
  const units = Math.floor(ticks / from.ticksPerUnit);
  const rest = (ticks - units * from.ticksPerUnit) / from.ticksPerUnit;
  return units * to.ticksPerUnit + Math.min(to.ticksPerUnit, Math.ceil(rest * to.ticksPerUnit));
}
