/**
 * Sliding window: the units of this window, plus the weighted units of the previous one.
 *
 * The weight is the part of the previous window that the last period still covers.
 *
 * Counts are in units. Weights are whole milliseconds, so one unit is `period` ticks:
 *
 *     ticks = used · period + previous · (period − time into this window)
 */
import type { Plan, RateAlgorithm, State } from "../core/index.ts";
import { EXACT, IN_UNITS } from "./ticks.ts";
import { windowsGone } from "./windows.ts";

/** The units of two windows at `now`, and when the later one began. */
type WindowPair = { readonly used: number; readonly previous: number; readonly since: number };

function windowsAt(state: State, plan: Plan, now: number): WindowPair {
  const { used, previous, since } = state;
  const gone = windowsGone(state, plan, now);
  if (gone === 0) return { used, previous, since };
  return { used: 0, previous: gone === 1 ? used : 0, since: since + gone * plan.period };
}

/** Returns after how many milliseconds of a window the previous one weighs at most `room` units. */
function fadeTime(previous: number, { period }: Plan, room: number): number {
  return previous <= room ? 0 : period - Math.floor((room * period) / previous);
}

/** The arithmetic of a sliding window. */
export const slidingWindow: RateAlgorithm = {
  countsOf: ({ period }) => ({ ...IN_UNITS, ticksPerUnit: period }),
  history: true,
  mostTicks: () => EXACT,

  advance(state, plan, now) {
    if (windowsGone(state, plan, now) === 0) return;
    const { used, previous, since } = windowsAt(state, plan, now);
    state.write({ used, previous, since, unsettled: 0 });
  },

  used(state, plan, now) {
    const { used, previous, since } = windowsAt(state, plan, now);
    const left = plan.period - Math.max(0, now - since);
    return used * plan.period + previous * left;
  },

  waitFor(atMost, state, plan, now) {
    const { used, previous, since } = windowsAt(state, plan, now);
    const allowed = atMost / plan.ticksPerUnit;
    const room = allowed - used;
    if (room >= 0) return Math.max(0, since + fadeTime(previous, plan, room) - now);
    return since + plan.period + fadeTime(used, plan, allowed) - now;
  },

  /** Until both windows are forgotten. */
  resetAfter(taken, state, plan, now) {
    const { used, previous, since } = windowsAt(state, plan, now);
    if (used + taken > 0) return since + 2 * plan.period - now;
    return previous > 0 ? since + plan.period - now : 0;
  },
};
