/** Keeps states valid after the limit or the clock has changed, and forgets what was used. */
import type { Budget, State } from "../core/index.ts";
import { begin, rewindIfAhead } from "./begin.ts";
import { switchDefinition } from "./definitions.ts";
import { isOverridden, underOverride } from "./overrides.ts";
import { withoutRefusals } from "./penalty-record.ts";
import { forgetUsed, isLent, lentOthers } from "./shares.ts";

/**
 * Forgets what a key has used, under every definition of its limit, and its refusals.
 *
 * A block, the level of penalties and an override stay. Lent units stay counted too, because
 * holders may still use them.
 */
export function reset(state: State, budget: Budget, now: number): void {
  const own = underOverride(state, budget, now);
  state.penalty = withoutRefusals(state.penalty, now);
  state.others = lentOthers(state.others, now);
  if (isLent(state, own.plan, now)) forgetUsed(state, own.plan, now);
  else begin(state, own, now);
}

/**
 * Prepares a state for a step at `now`. A store calls it before every other step.
 *
 * It begins a new state. It switches a state to this definition if another one wrote it, unless
 * that is an override of the key. It moves the state back if the clock stepped back.
 */
export function reconcile(state: State, budget: Budget, now: number): void {
  if (!isOverridden(state, budget.plan, now)) {
    state.overriddenUntil = 0;
    if (state.plan !== budget.plan) switchDefinition(state, budget, now);
  }
  if (state.since > now) rewindIfAhead(state, underOverride(state, budget, now), now);
}
