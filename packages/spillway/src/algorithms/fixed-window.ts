/**
 * Fixed window: `rate` units come back all at once whenever a window ends, up to the capacity.
 * `since` is the beginning of a window; counts are in units, one tick each.
 */
import type { Algorithm, Plan, State } from "../core/index.ts";
import { admitted, refused } from "./answers.ts";
import { mostInWindows, settled, ticksNeeded, type Usage, unitsLeft } from "./ticks.ts";
import { windowStart, windowsGone } from "./windows.ts";

/** Units used at `now`. */
function spent(state: State, plan: Plan, now: number): number {
  const gone = windowsGone(state, plan, now);
  return gone === 0 ? state.used : Math.max(0, state.used - gone * plan.rate);
}

/** Milliseconds from `now` until windows that end have brought back `units`; 0 for none. */
function waitFor(state: State, plan: Plan, units: number, now: number): number {
  if (units <= 0) return 0;
  const windows = windowsGone(state, plan, now) + Math.ceil(units / plan.rate);
  return state.since + windows * plan.period - now;
}

/** What was used and may be settled at `now`. */
function usage(state: State, plan: Plan, now: number): Usage {
  const used = spent(state, plan, now);
  return { used, unsettled: Math.min(state.unsettled, used) };
}

function write(state: State, plan: Plan, next: Usage, now: number): void {
  const since = state.since + windowsGone(state, plan, now) * plan.period;
  state.write({ used: next.used, since, previous: 0, unsettled: next.unsettled });
}

/** The steps of a fixed window. */
export const fixedWindow: Algorithm = {
  decide(state, plan, amount, now) {
    const used = spent(state, plan, now);
    const debt = used + ticksNeeded(plan, amount) - plan.capacityTicks;
    const excess = amount.reserve ? debt - plan.debtTicks : debt;
    if (excess > 0) {
      return refused(plan, {
        remaining: unitsLeft(plan, used),
        retryAfter: waitFor(state, plan, excess, now),
        resetAfter: waitFor(state, plan, used, now),
      });
    }
    const after = used + amount.count;
    return admitted(plan, {
      remaining: unitsLeft(plan, after),
      retryAfter: waitFor(state, plan, debt, now),
      resetAfter: waitFor(state, plan, after, now),
    });
  },

  charge(state, plan, { count }, now) {
    const { used, unsettled } = usage(state, plan, now);
    write(state, plan, { used: used + count, unsettled: unsettled + count }, now);
  },

  settle(state, plan, settlement, now) {
    const before = usage(state, plan, now);
    const next = settled(before, settlement, plan.ticksPerUnit);
    const most = Math.max(before.used, mostInWindows(plan));
    write(state, plan, { ...next, used: Math.min(next.used, most) }, now);
  },

  spent,

  unsettled(state, plan, now) {
    return usage(state, plan, now).unsettled;
  },

  resetAfter(state, plan, now) {
    return waitFor(state, plan, spent(state, plan, now), now);
  },

  begin(state, plan, opening, now) {
    const since = windowStart(plan, opening.anchor, now);
    state.write({ used: opening.spent, since, previous: 0, unsettled: opening.unsettled });
  },

  inherit: () => false,
};
