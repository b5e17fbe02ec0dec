import {
  type Budget,
  type Decision,
  decisionOf,
  type WhenUnavailable,
} from "../../limits/core/index.ts";

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
  const blind = { remaining: 0, degraded: true } as const;
  if (whenUnavailable === "open") return decisionOf(plan, blind);
  const wait = { retryAfter, resetAfter: retryAfter };
  return decisionOf(plan, { ...blind, ...wait, reason: "unavailable" });
}
