/** What all kinds share of counting in ticks (see `Plan`). */
import type { Counts, Plan, State } from "../core/index.ts";

/** Numbers up to this, and sums of two of them, are exact in doubles: 2⁵². */
export const EXACT = 2 ** 52;

/** For kinds whose states count units, one tick each. */
export const IN_UNITS: Counts = { ticksPerUnit: 1, refillPerMs: 0, countsPerUnit: 1 };

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

/** Euclid's algorithm. */
export function greatestDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
