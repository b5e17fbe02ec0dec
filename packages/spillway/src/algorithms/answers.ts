import type { Decision, Plan, Reason } from "../core/index.ts";

/** What differs between two answers of one limit; ticks, and milliseconds from now. */
type Numbers = {
  readonly used: number;
  readonly retryAfter: number;
  readonly resetAfter: number;
};

/** Whole units left where `used` ticks are gone. Pure. */
export function unitsLeft(plan: Plan, used: number): number {
  return used < plan.capacityTicks
    ? Math.floor((plan.capacityTicks - used) / plan.ticksPerUnit)
    : 0;
}

/** Yes. Fields in one order on every path, so that all decisions have one shape. */
export function admitted(plan: Plan, numbers: Numbers): Decision {
  return {
    ok: true,
    limit: plan.limit,
    capacity: plan.capacity,
    remaining: unitsLeft(plan, numbers.used),
    retryAfter: numbers.retryAfter,
    resetAfter: numbers.resetAfter,
    reason: undefined,
    degraded: undefined,
  };
}

/** No, and why. Costs what a yes costs. */
export function refused(plan: Plan, numbers: Numbers, reason: Reason = "limited"): Decision {
  return {
    ok: false,
    limit: plan.limit,
    capacity: plan.capacity,
    remaining: unitsLeft(plan, numbers.used),
    retryAfter: numbers.retryAfter,
    resetAfter: numbers.resetAfter,
    reason,
    degraded: undefined,
  };
}

/**
 * What is answered where nothing is known but the limit: no unit is claimed to be left.
 *
 * @param retryAfter When the store is asked again, in milliseconds from now.
 */
export function degraded(
  plan: Plan,
  retryAfter: number,
  whenUnavailable = plan.whenUnavailable,
): Decision {
  const ok = whenUnavailable === "open";
  return {
    ok,
    limit: plan.limit,
    capacity: (plan.whole ?? plan).capacity,
    remaining: 0,
    retryAfter: ok ? 0 : retryAfter,
    resetAfter: ok ? 0 : retryAfter,
    reason: ok ? undefined : "unavailable",
    degraded: true,
  };
}
