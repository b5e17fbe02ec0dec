/** Requests that are refused for want of the store's answer, and for no other reason. Pure. */
import type { LimitResponse, Outcome } from "../../service/index.ts";

/**
 * Whether nobody knows what the store would have decided: a limit would have refused only since it got
 * no answer. False where another limit refuses, and where rules say themselves what holds then.
 */
export function isUnanswered({ joint, outcomes }: LimitResponse): boolean {
  if (joint?.ok !== false) return false;
  const refusals = outcomes.filter((one) => one !== undefined && !one.decision.ok) as Outcome[];
  const musts = refusals.filter(({ role }) => role === "must");
  if (musts.length > 0) return musts.every(hasNoAnswer);
  // All quotas refuse: one that had answered might have had room.
  return refusals.some((one) => one.role === "quota" && hasNoAnswer(one));
}

function hasNoAnswer({ decision, decidedBy: { limit } }: Outcome): boolean {
  const hasOwnPolicy = limit !== "unlimited" && limit.whenUnavailable !== undefined;
  return decision.reason === "unavailable" && !hasOwnPolicy;
}
