/** Selects the outcomes that refuse a request. Pure. */
import type { Decision } from "spillway";
import type { RuleDecision } from "../contracts.ts";

/**
 * Returns the decisions that refuse the request: those of limits that are neither shadows nor
 * quotas, and those of the quotas if all of them refuse.
 */
export function refusalsOf(
  outcomes: readonly RuleDecision[],
  hasFreeQuota: boolean,
): readonly Decision[] {
  if (outcomes.every(({ decision }) => decision.ok)) return [];
  const refused = outcomes.filter(({ decision }) => !decision.ok);
  const musts = refused.filter(({ role }) => role === "must");
  if (musts.length > 0) return musts.map(({ decision }) => decision);
  const quotas = outcomes.filter(({ role }) => role === "quota");
  const areAllOver = quotas.length > 0 && quotas.every(({ decision }) => !decision.ok);
  return areAllOver && !hasFreeQuota ? quotas.map(({ decision }) => decision) : [];
}
