/**
 * Sliding log: every admitted ask is remembered for one period, so that no span of a period ever
 * holds more than `rate` units. A refused ask leaves no trace: asks add at most `rate` entries to
 * the log, whoever attacks. `used` is the sum of its entries, `since` the latest of their instants.
 */
import { type Algorithm, Log, type Plan, type State } from "../core/index.ts";
import { admitted, refused } from "./answers.ts";
import { settled, ticksNeeded, unitsLeft } from "./ticks.ts";

/** The time as the log sees it: never before its newest entry. */
function present(state: State, now: number): number {
  return Math.max(state.since, now);
}

/** Units admitted in the period that ends at `now`. */
function spent(state: State, plan: Plan, now: number): number {
  const { log } = state;
  if (log === undefined) return 0;
  const over = present(state, now) - plan.period;
  let units = state.used;
  for (let index = 0; index < log.length && log.instant(index) <= over; index++) {
    units -= log.units(index);
  }
  return units;
}

/** Milliseconds from `now` until at most `allowed` of the units in the log are left. */
function waitFor(state: State, plan: Plan, allowed: number, now: number): number {
  const { log } = state;
  let units = state.used;
  if (log === undefined || units <= allowed) return 0;
  let index = -1;
  while (units > allowed) units -= log.units(++index);
  return Math.max(0, log.instant(index) + plan.period - now);
}

/** Milliseconds from `now` until all of the log is over: the newest entry is the last to go. */
function forgetTime({ log }: State, plan: Plan, now: number): number {
  if (log === undefined || log.length === 0) return 0;
  return Math.max(0, log.instant(log.length - 1) + plan.period - now);
}

/** Forgets what is over and adds `units`, if any, at `now`. */
function add(state: State, plan: Plan, units: number, now: number): void {
  const used = spent(state, plan, now);
  const instant = present(state, now);
  state.log ??= new Log();
  state.log.dropUntil(instant - plan.period);
  if (units > 0) state.log.push({ instant, units });
  const since = units > 0 ? instant : state.since;
  const unsettled = Math.min(state.unsettled, used) + units;
  state.write({ used: used + units, since, previous: 0, unsettled });
}

/** The steps of a sliding log. */
export const slidingLog: Algorithm = {
  decide(state, plan, amount, now) {
    const used = spent(state, plan, now);
    const needed = ticksNeeded(plan, amount);
    if (used + needed > plan.capacityTicks) {
      return refused(plan, {
        remaining: unitsLeft(plan, used),
        retryAfter: waitFor(state, plan, plan.capacityTicks - needed, now),
        resetAfter: forgetTime(state, plan, now),
      });
    }
    const newest = amount.count > 0 ? present(state, now) + plan.period - now : 0;
    return admitted(plan, {
      remaining: unitsLeft(plan, used + amount.count),
      retryAfter: 0,
      resetAfter: newest > 0 ? newest : forgetTime(state, plan, now),
    });
  },

  charge(state, plan, { count }, now) {
    if (count > 0) add(state, plan, count, now);
  },

  settle(state, plan, settlement, now) {
    add(state, plan, 0, now);
    const before = { used: state.used, unsettled: state.unsettled };
    const after = settled(before, settlement, plan.ticksPerUnit);
    const change = after.used - before.used;
    if (change > 0) add(state, plan, change, now);
    else state.log?.takeBack(-change);
    state.write({ ...after, since: state.since, previous: 0 });
  },

  spent,

  unsettled(state, plan, now) {
    return Math.min(state.unsettled, spent(state, plan, now));
  },

  resetAfter(state, plan, now) {
    return forgetTime(state, plan, now);
  },

  begin(state, plan, opening, now) {
    state.log = undefined;
    state.write({ used: 0, since: now, previous: 0, unsettled: 0 });
    if (opening.spent === 0) return;
    add(state, plan, opening.spent, now);
    const { used, since } = state;
    state.write({ used, since, previous: 0, unsettled: opening.unsettled });
  },

  inherit(state, plan, from, now) {
    return plan.period === from.period && spent(state, plan, now) <= plan.capacityTicks;
  },
};
