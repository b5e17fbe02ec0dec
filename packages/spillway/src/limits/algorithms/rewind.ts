import type { Plan, State } from "../core/index.ts";

/** Whether the clock went back so far that a state goes back with it. */
export function isFarAhead(state: State, plan: Plan, now: number): boolean {
  return state.since - now >= plan.period;
}

/**
 * Brings a state that is ahead of the clock to `now`, what was used with it. Windows go back by whole
 * periods, to the one that begins next: to an earlier one, time would have passed in it. So nothing is
 * minted, and nobody waits for more than a period because of the clock.
 *
 * @returns By how many milliseconds it went back.
 */
export function rewind(state: State, plan: Plan, now: number): number {
  const ms = Math.floor((state.since - now) / plan.windowAlignment) * plan.windowAlignment;
  state.rewind(ms);
  return ms;
}
