/** Begins states, and keeps them valid after the limit or the clock has changed. */
import type { Budget, State } from "../core/index.ts";
import { anchorOf } from "./anchor.ts";
import { switchTo } from "./definitions.ts";
import { agree } from "./migrate.ts";
import { isFarAhead, rewind } from "./rewind.ts";
import { forgetUsed, isLent, lentOthers } from "./shares.ts";

/** Resets a state to nothing used. A block stays. */
export function begin(state: State, budget: Budget, now: number): void {
  const { plan } = budget;
  state.plan = plan;
  const initial = { used: 0, unsettled: 0, anchor: anchorOf(budget) };
  plan.family.begin(state, plan, initial, now);
}

/**
 * Forgets what a key has used, under every definition of its limit.
 *
 * A block stays. Lent units stay counted too, because their holders may still use them.
 */
export function reset(state: State, budget: Budget, now: number): void {
  state.others = lentOthers(state.others, now);
  if (isLent(state, budget.plan, now)) forgetUsed(state, budget.plan, now);
  else begin(state, budget, now);
}

/**
 * Prepares a state for a step at `now`. A store calls it before every other step.
 *
 * It begins a new state. It switches a state to this definition if another one wrote it. It moves
 * the state back if the clock stepped back.
 */
export function reconcile(state: State, budget: Budget, now: number): void {
  const { plan } = budget;
  if (state.plan !== plan) {
    if (state.plan === undefined) begin(state, budget, now);
    else if (agree(state.plan, plan)) state.plan = plan;
    else switchTo(state, budget, now);
  }
  if (state.since > now) rewindIfAhead(state, budget, now);
}

/**
 * Handles a clock that stepped back.
 *
 * After a step of a period or more, the state is moved back as well. After a smaller step, no units
 * come back until the clock has caught up. A state with nothing used and no block starts again at
 * `now` instead. A block is moved back only together with its state.
 */
function rewindIfAhead(state: State, budget: Budget, now: number): void {
  const { plan } = budget;
  if (isFarAhead(state, plan, now)) rewind(state, plan, now);
  const saysNothing = state.used === 0 && state.previous === 0 && state.blockedUntil <= now;
  if (saysNothing && state.since > now) begin(state, budget, now);
}
