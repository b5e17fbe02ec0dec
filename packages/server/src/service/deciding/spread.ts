/** `jitter`: the waits of a limit spread, so that many who wait for one instant do not come at once. */
import type { Random } from "spillway";
import { later } from "spillway/support";
import type { Outcome } from "../contracts.ts";

/** An outcome whose wait is longer by up to the jitter of the rule that decided, where it is not 0. */
export function spread(outcome: Outcome, random: Random): Outcome {
  const { decision, decidedBy } = outcome;
  const { jitter } = decidedBy;
  if (jitter === undefined || decision.retryAfter === 0) return outcome;
  return { ...outcome, decision: later(decision, Math.floor(random() * (jitter + 1))) };
}
