import type { Plan, State } from "../core/index.ts";

/** Whether the clock has stepped back so far that the state must move back too. */
export function isFarAhead(state: State, plan: Plan, now: number): boolean {
  return state.since - now >= plan.period;
}

/**
 * Moves a state that is ahead of the clock back to `now`, with what was used.
 *
 * Windows move back by whole periods, until they begin within a period after `now`. They never move
 * to a window that begins before `now`, because a part of it would already be over. So a clock that
 * steps back creates no units, and lengthens no wait by more than a period.
 *
 * @returns The milliseconds by which it moved back.
 */
export function rewind(state: State, plan: Plan, now: number): number {
  const ms = Math.floor((state.since - now) / plan.windowAlignment) * plan.windowAlignment;
  state.rewind(ms);
  return ms;
}
