/** How a state begins, and what keeps it meaningful when its limit or the clock has changed. */
import type { Budget, State } from "../core/index.ts";
import { anchorOf } from "./anchor.ts";
import { switchTo } from "./definitions.ts";
import { agree } from "./migrate.ts";
import { isFarAhead, rewind } from "./rewind.ts";
import { forgetUsed, isLent, lentOthers } from "./shares.ts";

/** Begins a state anew, with nothing used. A block stays. */
export function begin(state: State, budget: Budget, now: number): void {
  const { plan } = budget;
  state.plan = plan;
  const initial = { used: 0, unsettled: 0, anchor: anchorOf(budget) };
  plan.family.begin(state, plan, initial, now);
}

/**
 * Forgets what a key has used, under every definition of its limit. A block stays, and so does what is
 * lent: it may still be used elsewhere.
 */
export function reset(state: State, budget: Budget, now: number): void {
  state.others = lentOthers(state.others, now);
  if (isLent(state, budget.plan, now)) forgetUsed(state, budget.plan, now);
  else begin(state, budget, now);
}

/**
 * Makes a state fit to be asked at `now`: begun if it is new, that of this definition if its limit has
 * several, brought back if the clock went back. A store calls it before every other step.
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
 * Where the clock went back: far, with the state; less, time stands still for what was used. What says
 * nothing need not wait. A block does say something: it goes back with its state, or not at all.
 */
function rewindIfAhead(state: State, budget: Budget, now: number): void {
  const { plan } = budget;
  if (isFarAhead(state, plan, now)) rewind(state, plan, now);
  const saysNothing = state.used === 0 && state.previous === 0 && state.blockedUntil <= now;
  if (saysNothing && state.since > now) begin(state, budget, now);
}
