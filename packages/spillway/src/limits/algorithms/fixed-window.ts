/**
 * Fixed window: at the end of each window `rate` units come back at once, up to the capacity.
 *
 * `since` is when the state's window began. Counts are in units, one tick each.
 */
import type { Plan, RateAlgorithm, State } from "../core/index.ts";
import { EXACT, IN_UNITS } from "./ticks.ts";
import { windowsGone } from "./windows.ts";

/** Returns the units used at `now`. */
function used(state: State, plan: Plan, now: number): number {
  const gone = windowsGone(state, plan, now);
  return gone === 0 ? state.used : Math.max(0, state.used - gone * plan.rate);
}

/**
 * Returns the milliseconds from `now` until windows have brought back this many units; 0 for none.
 */
function windowTime(units: number, state: State, plan: Plan, now: number): number {
  if (units <= 0) return 0;
  const windows = windowsGone(state, plan, now) + Math.ceil(units / plan.rate);
  return state.since + windows * plan.period - now;
}

/** The arithmetic of a fixed window. */
export const fixedWindow: RateAlgorithm = {
  countsOf: () => IN_UNITS,
  history: false,

  /**
   * Returns the units that windows bring back in 2⁵² ms. At a rate of 0 nothing comes back, so
   * there is no wait.
   */
  mostTicks({ rate, period }) {
    return rate === 0 ? EXACT : Math.min(EXACT, Math.floor(EXACT / period) * rate);
  },

  advance(state, plan, now) {
    const left = used(state, plan, now);
    state.since += windowsGone(state, plan, now) * plan.period;
    state.used = left;
    state.unsettled = Math.min(state.unsettled, left);
  },

  used,

  waitFor(atMost, state, plan, now) {
    return windowTime(used(state, plan, now) - atMost, state, plan, now);
  },

  resetAfter(taken, state, plan, now) {
    return windowTime(used(state, plan, now) + taken, state, plan, now);
  },
};
