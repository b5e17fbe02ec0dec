/** Counting in ticks, common to all kinds (see `Plan`). */
import type { Plan, State, TickConversion } from "../core/index.ts";

/**
 * The largest exact number: numbers up to it, and sums of two of them, are exact in doubles: 2⁵².
 */
export const EXACT = 2 ** 52;

/** The counts of kinds whose states count units, one tick each. */
export const IN_UNITS: TickConversion = { ticksPerUnit: 1, refillPerMs: 0, countsPerUnit: 1 };

/**
 * Returns the ticks used at `now`: 0 for a fresh key, more than `plan.capacityTicks` for one in
 * debt.
 */
export function usedAt(state: State, plan: Plan, now: number): number {
  return plan.algorithm.used(state, plan, now);
}

/** Returns how many of the ticks used at `now` may still be settled. */
export function unsettledAt(state: State, plan: Plan, now: number): number {
  const present = state.copy();
  plan.algorithm.advance(present, plan, now);
  return (present.unsettled * plan.ticksPerUnit) / plan.countsPerUnit;
}

/** Returns the greatest common divisor, by Euclid's algorithm. */
export function greatestDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
