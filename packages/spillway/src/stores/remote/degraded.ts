import type { Budget, Decision, WhenUnavailable } from "../../limits/core/index.ts";

/** What a budget's limit answers while its store gives none. */
export function whenUnavailableOf({ settings }: Budget): WhenUnavailable {
  return settings?.whenUnavailable ?? "closed";
}

/**
 * What is answered where nothing is known but the limit: no unit is claimed to be left.
 *
 * @param retryAfter When the store is asked again, in milliseconds from now.
 */
export function degraded(
  budget: Budget,
  retryAfter: number,
  whenUnavailable = whenUnavailableOf(budget),
): Decision {
  const { plan } = budget.shardOf ?? budget;
  const ok = whenUnavailable === "open";
  return {
    ok,
    limit: plan.limit,
    capacity: plan.capacity,
    remaining: 0,
    retryAfter: ok ? 0 : retryAfter,
    resetAfter: ok ? 0 : retryAfter,
    reason: ok ? undefined : "unavailable",
    degraded: true,
  };
}
