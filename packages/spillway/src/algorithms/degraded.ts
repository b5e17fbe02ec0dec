import type { Decision, Plan } from "../core/index.ts";

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
