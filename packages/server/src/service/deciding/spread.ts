/**
 * `jitter`: spreads the waits of a limit, so that callers that wait for one instant do not return
 * at once.
 */
import type { Random } from "spillway";
import { later } from "spillway/support";
import type { RuleDecision } from "../contracts.ts";

/**
 * Lengthens the wait of an outcome, if it has one, by up to the jitter of the rule that decided.
 */
export function spread(outcome: RuleDecision, random: Random): RuleDecision {
  const { decision, decidedBy } = outcome;
  const { jitter } = decidedBy;
  if (jitter === undefined || decision.retryAfter === 0) return outcome;
  return { ...outcome, decision: later(decision, Math.floor(random() * (jitter + 1))) };
}
