/** What all kinds share of counting in ticks (see `Plan`). */
import type { Amount, Plan, State } from "../core/index.ts";

/** Numbers up to this, and sums of two of them, are exact in doubles: 2⁵². */
export const EXACT = 2 ** 52;

/** Ticks used at `now`: 0 for a fresh key, more than the capacity's for one in debt. */
export function usedAt(state: State, plan: Plan, now: number): number {
  return plan.algorithm.used(state, plan, now);
}

/** How many of the ticks used at `now` may still be settled. */
export function unsettledAt(state: State, plan: Plan, now: number): number {
  const present = state.copy();
  plan.algorithm.advance(present, plan, now);
  return (present.unsettled * plan.ticksPerUnit) / plan.countsPerUnit;
}

/** Ticks an amount needs: a count of 0 asks whether one unit is there. Pure. */
export function ticksNeeded(plan: Plan, { count }: Amount): number {
  return (count === 0 ? 1 : count) * plan.ticksPerUnit;
}

/** Whole units left where `used` ticks are gone. Pure. */
export function unitsLeft(plan: Plan, used: number): number {
  return used < plan.capacityTicks
    ? Math.floor((plan.capacityTicks - used) / plan.ticksPerUnit)
    : 0;
}

/** Adds to what a state counts as used, for kinds that remember no more than that. */
export function add(state: State, _plan: Plan, counts: number): void {
  state.used += counts;
}
