/** The steps common to all kinds of rate, written once over the few functions of each kind. */
import type { KindFamily, RatePlan, State } from "../core/index.ts";
import { windowStart } from "./windows.ts";

function add(counts: number, state: State, plan: RatePlan, now: number): void {
  state.used += counts;
  plan.algorithm.record?.(state, counts, now);
}

/** Limits of units per period. */
export const rates: KindFamily = {
  name: "rates",

  charge(state, plan: RatePlan, { count }, now) {
    const taken = count * plan.countsPerUnit;
    plan.algorithm.advance(state, plan, now);
    state.unsettled += taken;
    add(taken, state, plan, now);
  },

  /**
   * Adds the units used beyond the estimate, or gives back those not used.
   *
   * Upward, only exact arithmetic bounds the change, because the work was done. Downward, units
   * come back only if they were taken, have not come back by themselves, and were not settled
   * before. So a settlement that arrives twice, or after its window has ended, creates no units.
   */
  settle(state, plan: RatePlan, { reserved, used }, now) {
    plan.algorithm.advance(state, plan, now);
    const most = Math.max(0, plan.mostCounts - state.used - state.previous);
    const change = Math.min((used - reserved) * plan.countsPerUnit, most);
    // If calls queue, starts already promised can't be moved: two of them could coincide.
    const least = plan.queues ? 0 : -state.unsettled;
    add(Math.max(change, least), state, plan, now);
    const unsettled = Math.max(0, state.unsettled - reserved * plan.countsPerUnit);
    state.unsettled = Math.min(unsettled, state.used);
    return Math.max(0, used - reserved);
  },

  begin(state, plan: RatePlan, { used, unsettled, anchor }, now) {
    const ticksPerCount = plan.ticksPerUnit / plan.countsPerUnit;
    state.log = undefined;
    state.leases = undefined;
    state.write({ used: 0, since: windowStart(anchor, plan, now), previous: 0, unsettled: 0 });
    if (used > 0) add(Math.ceil(used / ticksPerCount), state, plan, now);
    state.unsettled = Math.floor(unsettled / ticksPerCount);
  },

  keep(state, plan: RatePlan, from, now) {
    const isSame = plan.period === from.period && plan.start === from.start;
    if (!plan.algorithm.history || !isSame) return false;
    if (plan.algorithm.used(state, plan, now) > plan.capacityTicks) return false;
    // Shares belong to the definition under which they were lent. Under this one their units count
    // as used.
    state.leases = undefined;
    return true;
  },
};
