/** Begins states, and keeps them valid after the clock has stepped back. */
import type { Budget, State } from "../core/index.ts";
import { anchorOf } from "./anchor.ts";
import { isFarAhead, rewind } from "./rewind.ts";

/** Resets a state to nothing used. A block stays, and so do an override and its windows. */
export function begin(state: State, budget: Budget, now: number): void {
  const { plan } = budget;
  state.plan = plan;
  const anchor = state.overriddenUntil > now ? state.since : anchorOf(budget);
  const initial = { used: 0, unsettled: 0, anchor };
  plan.family.begin(state, plan, initial, now);
}

/**
 * Handles a clock that stepped back.
 *
 * After a step of a period or more, the state is moved back as well. After a smaller step, no units
 * come back until the clock has caught up. A state with nothing used and no block starts again at
 * `now` instead. A block is moved back only together with its state.
 */
export function rewindIfAhead(state: State, budget: Budget, now: number): void {
  const { plan } = budget;
  if (isFarAhead(state, plan, now)) rewind(state, plan, now);
  const saysNothing = state.used === 0 && state.previous === 0 && state.blockedUntil <= now;
  if (saysNothing && state.since > now) begin(state, budget, now);
}
