/** Under which plan the store keeps leases of which a process hands places out. Pure. */
import type { Budget, Plan } from "../../../limits/core/index.ts";
import { DRIFT, ROUNDING } from "../readings.ts";

const known = new WeakMap<Plan, Plan>();

/** Whether places of a limit are kept in this process. */
export function keepsPlaces({ family, share }: Plan): boolean {
  return share > 0 && family.name === "leases";
}

/**
 * The same plan with a longer time: a place may be handed out until `share` is over, and is held for the whole
 * `ttl` from then, whatever becomes of the process and of the store.
 */
export function keptPlan(plan: Plan): Plan {
  const made = known.get(plan);
  if (made !== undefined) return made;
  const period = plan.share + Math.ceil((plan.period + ROUNDING) / DRIFT);
  const kept = { ...plan, period, share: 0 };
  known.set(plan, kept);
  return kept;
}

/** The same budget, as the store knows it. */
export function keptBudget<B extends Budget>(budget: B): B {
  return keepsPlaces(budget.plan) ? { ...budget, plan: keptPlan(budget.plan) } : budget;
}
