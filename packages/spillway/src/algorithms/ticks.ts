/** What the kinds share of counting in ticks (see `Plan`). All pure. */
import type { Amount, Plan, Settlement } from "../core/index.ts";

/** Numbers up to this, and sums of two of them, are exact in doubles: 2⁵². */
export const EXACT = 2 ** 52;

/**
 * The most units that windows may have to bring back, so that the wait for all of them is exact: 2⁵² ms.
 * At a rate of 0 nothing comes back, and there is no wait.
 */
export function mostInWindows({ rate, period }: Pick<Plan, "rate" | "period">): number {
  return rate === 0 ? EXACT : Math.min(EXACT, Math.floor(EXACT / period) * rate);
}

/** What a key has used, and how much of it can still be settled. */
export type Usage = { readonly used: number; readonly unsettled: number };

/** Ticks an amount needs: a count of 0 asks whether one unit is there. */
export function ticksNeeded(plan: Plan, { count }: Amount): number {
  return (count === 0 ? 1 : count) * plan.ticksPerUnit;
}

/** Whole units left where `used` ticks are gone. */
export function unitsLeft(plan: Plan, used: number): number {
  return used < plan.capacityTicks
    ? Math.floor((plan.capacityTicks - used) / plan.ticksPerUnit)
    : 0;
}

/**
 * What is used, and what of it can still be settled, once an estimate has given way to the truth.
 *
 * Upward there is no bound, for the work was done. Downward no more comes back than was taken, has
 * not come back by itself, and was not settled before: so a settlement that arrives twice, or after
 * its window ended, mints nothing.
 */
export function settled(
  present: Usage,
  { reserved, used }: Settlement,
  ticksPerUnit: number,
): Usage {
  const change = (used - reserved) * ticksPerUnit;
  const next =
    change < 0
      ? present.used - Math.min(-change, present.unsettled)
      : Math.min(EXACT, present.used + change);
  const unsettled = Math.max(0, present.unsettled - reserved * ticksPerUnit);
  return { used: next, unsettled: Math.min(unsettled, next) };
}
