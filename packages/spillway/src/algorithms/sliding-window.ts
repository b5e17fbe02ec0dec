/**
 * Sliding window: the units of this window, plus those of the window before weighted by how much of
 * it the last period still covers. Weights are whole milliseconds, so one unit is `period` ticks:
 *
 *     spent = used · period + previous · (period − time into this window)
 */
import type { Algorithm, Plan, State } from "../core/index.ts";
import { admitted, refused } from "./answers.ts";
import { EXACT, settled, ticksNeeded, unitsLeft } from "./ticks.ts";
import { windowStart, windowsGone } from "./windows.ts";

/** The state's numbers as they are at `now`. Counts are in units. */
type Windows = { used: number; previous: number; unsettled: number; since: number };

function windowsAt(state: State, plan: Plan, now: number): Windows {
  const { used, previous, unsettled, since } = state;
  const gone = windowsGone(state, plan, now);
  if (gone === 0) return { used, previous, unsettled, since };
  return {
    used: 0,
    previous: gone === 1 ? used : 0,
    unsettled: 0,
    since: since + gone * plan.period,
  };
}

/** Ticks of the estimate. */
function estimate(windows: Windows, plan: Plan, now: number): number {
  const left = plan.period - Math.max(0, now - windows.since);
  return windows.used * plan.period + windows.previous * left;
}

/** Milliseconds from `now` until `count` units fit under the estimate; 0 if they do. */
function waitFor(windows: Windows, plan: Plan, count: number, now: number): number {
  const { used, previous, since } = windows;
  const room = plan.rate - used - count;
  if (room >= 0) return Math.max(0, since + fadeTime(plan, previous, room) - now);
  return since + plan.period + fadeTime(plan, used, plan.rate - count) - now;
}

/** How far into a window the units of the one before it weigh at most `room` units. */
function fadeTime({ period }: Plan, previous: number, room: number): number {
  return previous <= room ? 0 : period - Math.floor((room * period) / previous);
}

/** Milliseconds from `now` until nothing of two windows is remembered. */
function forgetTime({ used, previous, since }: Windows, { period }: Plan, now: number): number {
  if (used > 0) return since + 2 * period - now;
  return previous > 0 ? since + period - now : 0;
}

/** The steps of a sliding window. */
export const slidingWindow: Algorithm = {
  decide(state, plan, amount, now) {
    const windows = windowsAt(state, plan, now);
    const spent = estimate(windows, plan, now);
    if (spent + ticksNeeded(plan, amount) > plan.capacityTicks) {
      return refused(plan, {
        remaining: unitsLeft(plan, spent),
        retryAfter: waitFor(windows, plan, amount.count || 1, now),
        resetAfter: forgetTime(windows, plan, now),
      });
    }
    windows.used += amount.count;
    return admitted(plan, {
      remaining: unitsLeft(plan, spent + amount.count * plan.ticksPerUnit),
      retryAfter: 0,
      resetAfter: forgetTime(windows, plan, now),
    });
  },

  charge(state, plan, { count }, now) {
    const windows = windowsAt(state, plan, now);
    windows.used += count;
    windows.unsettled += count;
    state.write(windows);
  },

  settle(state, plan, settlement, now) {
    const windows = windowsAt(state, plan, now);
    const next = settled(windows, settlement, 1);
    const most = Math.max(windows.used, Math.floor(EXACT / plan.period) - windows.previous);
    state.write({ ...windows, used: Math.min(next.used, most), unsettled: next.unsettled });
  },

  spent(state, plan, now) {
    return estimate(windowsAt(state, plan, now), plan, now);
  },

  unsettled(state, plan, now) {
    return windowsAt(state, plan, now).unsettled * plan.ticksPerUnit;
  },

  resetAfter(state, plan, now) {
    return forgetTime(windowsAt(state, plan, now), plan, now);
  },

  begin(state, plan, opening, now) {
    const since = windowStart(plan, opening.anchor, now);
    const used = Math.ceil(opening.spent / plan.ticksPerUnit);
    const unsettled = Math.floor(opening.unsettled / plan.ticksPerUnit);
    state.write({ used, since, previous: 0, unsettled });
  },

  inherit(state, plan, from, now) {
    const same = plan.period === from.period && plan.start === from.start;
    return same && this.spent(state, plan, now) <= plan.capacityTicks;
  },
};
