import {
  type Budget,
  type Decision,
  decisionOf,
  type WhenUnavailable,
} from "../../limits/core/index.ts";

/** Returns the answer of a budget's limit while its store is unavailable. */
export function whenUnavailableOf({ settings }: Budget): WhenUnavailable {
  return settings?.whenUnavailable ?? "closed";
}

/**
 * Returns a decision made from the limit alone. It reports no units left.
 *
 * @param retryAfter When the store is asked again, in milliseconds from now.
 */
export function degraded(
  budget: Budget,
  retryAfter: number,
  whenUnavailable = whenUnavailableOf(budget),
): Decision {
  const { plan } = budget.shardOf ?? budget;
  const blind = { remaining: 0, degraded: true } as const;
  if (whenUnavailable === "open") return decisionOf(plan, blind);
  const wait = { retryAfter, resetAfter: retryAfter };
  return decisionOf(plan, { ...blind, ...wait, reason: "unavailable" });
}
