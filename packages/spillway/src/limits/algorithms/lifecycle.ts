/** Keeps states valid after the limit or the clock has changed, and forgets what was used. */
import type { Budget, State } from "../core/index.ts";
import { begin, rewindIfAhead } from "./begin.ts";
import { switchTo } from "./definitions.ts";
import { agree } from "./migrate.ts";
import { forgetUsed, isLent, lentOthers } from "./shares.ts";

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
