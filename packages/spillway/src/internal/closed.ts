import { type Decision, refused } from "../limits/core/index.ts";

/** The wait before a retry after a store has failed, in milliseconds. */
const SOON = 1000;

/**
 * Converts a decision made without the store to a refusal, for guards that are always closed. Pure.
 *
 * It ignores the limit's `whenUnavailable`. Such a decision can't be trusted: its counts have been
 * forgotten, or only this process knows them. Other decisions, and those of limits that are not
 * enforced, are returned unchanged.
 */
export function closed(decision: Decision): Decision {
  if (decision.degraded !== true || decision.mode !== undefined) return decision;
  const wait = { retryAfter: SOON, resetAfter: SOON };
  return refused(decision, { remaining: 0, ...wait, reason: "unavailable" });
}
