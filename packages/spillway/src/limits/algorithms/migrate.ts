/** From one definition of a limit to another: what was used stays used. */
import type { Budget, Plan, State } from "../core/index.ts";
import { anchorOf } from "./anchor.ts";
import { unsettledAt } from "./ticks.ts";

/**
 * Carries a state from the plan it was written under to another one for the same budget.
 *
 * What was used stays used, to the part, rounded up; what came back until `now` came back at the
 * old pace. Where the old limit allowed more than the new one could, the excess is dropped, so that
 * nobody waits longer than the new limit can impose. Debt that was reserved stays, as far as the new
 * `maxReserved` allows.
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

/** The most ticks of a plan that count as used where so many are under another one: with its debt. */
export function mostKept(used: number, from: Plan, to: Plan): number {
  const debt = convert(Math.max(0, used - from.capacityTicks), from, to);
  return to.capacityTicks + Math.min(debt, to.debtTicks);
}

/** Whether two plans are one limit, made ready twice. For how long units are lent may differ, not whether. */
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

/** Ticks of one plan as ticks of another, rounded up. */
function convert(ticks: number, from: Plan, to: Plan): number {
  if (from.ticksPerUnit === to.ticksPerUnit) return ticks;
  const units = Math.floor(ticks / from.ticksPerUnit);
  const rest = (ticks - units * from.ticksPerUnit) / from.ticksPerUnit;
  return units * to.ticksPerUnit + Math.min(to.ticksPerUnit, Math.ceil(rest * to.ticksPerUnit));
}
