/**
 * Penalties: a key that is refused again and again is blocked, for a time that doubles.
 *
 * This is what stores do beyond `decide` under a limit with `penalty`, whose settings come with
 * each ask. Ports of the steps do the same; the record is that of `penalty-record.ts`.
 */
import type { Ask, Decision, Plan, State } from "../core/index.ts";
import { block } from "./decide.ts";
import { decideOn } from "./overrides.ts";
import { afterPenalty, afterRefusal, penaltyTime } from "./penalty-record.ts";

/**
 * Counts the refusal of a `limit` command on one budget, once, whatever its units. Returns the
 * decision that takes its place: the same, or a refusal by the penalty that it brought about.
 *
 * Only refusals by the limit itself count. While a block is in force, of any origin, none does. So
 * whoever waits out a penalty is not blocked again for it. Changes nothing for a limit without
 * `penalty`, and for an ask that was admitted.
 *
 * @param state The state by which the decision was made, at `now`.
 */
export function penalize(state: State, ask: Ask, decision: Decision, now: number): Decision {
  const penalty = ask.settings?.penalty;
  if (penalty === undefined || decision.ok || state.blockedUntil > now) return decision;
  const record = afterRefusal(state.penalty, penalty, now);
  state.penalty = record;
  if (record.refusals < penalty.after) return decision;
  block(state, state.plan as Plan, penaltyTime(record, penalty), now);
  state.penalty = afterPenalty(record, penalty, state.blockedUntil);
  return decideOn(state, ask, now);
}
