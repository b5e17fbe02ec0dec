import { type Decision, refused } from "../limits/core/index.ts";

/** The wait before a retry after a store has failed, in milliseconds. */
const SOON = 1000;

/**
 * An answer for a guard that is closed by itself, whatever the limit's `whenUnavailable` says: one
 * that was found without the store is a refusal, for what it has counted is forgotten, or known to
 * this process alone. Pure.
 */
export function closed(decision: Decision): Decision {
  if (decision.degraded !== true) return decision;
  const wait = { retryAfter: SOON, resetAfter: SOON };
  return refused(decision, { remaining: 0, ...wait, reason: "unavailable" });
}
