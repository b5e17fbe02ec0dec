/** Detects requests that are refused only because the store gave no answer. Pure. */
import type { LimitResponse, RuleDecision } from "../../service/index.ts";

/**
 * Whether the request depends on a decision that the store did not give. False if another limit
 * refuses, or if the rules define the answer without the store.
 */
export function isUnanswered({ joint, outcomes }: LimitResponse): boolean {
  if (joint?.ok !== false) return false;
  const refusals = outcomes.filter(
    (one) => one !== undefined && !one.decision.ok,
  ) as RuleDecision[];
  const musts = refusals.filter(({ role }) => role === "must");
  if (musts.length > 0) return musts.every(hasNoAnswer);
  // All quotas refuse: one with an answer might have had room.
  return refusals.some((one) => one.role === "quota" && hasNoAnswer(one));
}

function hasNoAnswer({ decision, decidedBy: { limit } }: RuleDecision): boolean {
  const hasOwnPolicy = limit !== "unlimited" && limit.whenUnavailable !== undefined;
  return decision.reason === "unavailable" && !hasOwnPolicy;
}
