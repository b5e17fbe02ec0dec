/** The plan under which the store keeps leases whose places a process hands out. Pure. */
import type { Budget, Plan } from "../../../limits/core/index.ts";
import { DRIFT, ROUNDING } from "../readings.ts";

const known = new WeakMap<Plan, Plan>();

/** Whether places of a limit are kept in this process. */
export function keepsPlaces({ family, share }: Plan): boolean {
  return share > 0 && family.name === "leases";
}

/**
 * Returns the plan with a longer ttl: a place may be handed out until `share` is over, and is then
 * held for the whole `ttl`, even if the process or the store fails.
 */
export function keptPlan(plan: Plan): Plan {
  const made = known.get(plan);
  if (made !== undefined) return made;
  const period = plan.share + Math.ceil((plan.period + ROUNDING) / DRIFT);
  const kept = { ...plan, period, share: 0 };
  known.set(plan, kept);
  return kept;
}

/** Returns the budget as the store knows it. */
export function keptBudget<B extends Budget>(budget: B): B {
  return keepsPlaces(budget.plan) ? { ...budget, plan: keptPlan(budget.plan) } : budget;
}
