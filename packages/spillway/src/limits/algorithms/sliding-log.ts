/**
 * Sliding log: every admitted ask is recorded for one period.
 *
 * So no span of a period ever holds more than `rate` units. A refused ask is not recorded, so asks
 * add at most `rate` entries to the log, even under attack. `used` is the sum of the entries,
 * `since` the latest of their instants.
 */
import { Log, type Plan, type RateAlgorithm, type State } from "../core/index.ts";
import { EXACT, IN_UNITS } from "./ticks.ts";

/** Returns the time that applies to the log: never before its newest entry. */
function present(state: State, now: number): number {
  return Math.max(state.since, now);
}

/** Returns the units admitted in the period that ends at `now`. */
function used(state: State, plan: Plan, now: number): number {
  const { log } = state;
  if (log === undefined) return 0;
  const over = log.countUntil(present(state, now) - plan.period);
  return state.used - log.unitsOfFirst(over);
}

/** The arithmetic of a sliding log. */
export const slidingLog: RateAlgorithm = {
  list: "log",
  countsOf: () => IN_UNITS,
  history: true,
  mostTicks: () => EXACT,

  advance(state, plan, now) {
    const left = used(state, plan, now);
    state.log?.dropUntil(present(state, now) - plan.period);
    state.used = left;
    state.unsettled = Math.min(state.unsettled, left);
  },

  used,

  /** Until enough of the oldest entries have expired. */
  waitFor(atMost, state, plan, now) {
    const { log } = state;
    const units = state.used - atMost;
    if (log === undefined || units <= 0) return 0;
    return Math.max(0, log.instant(log.indexOfUnits(units)) + plan.period - now);
  },

  /** Until the newest entry has expired. */
  resetAfter(taken, { since, log }, plan, now) {
    if (taken > 0) return Math.max(since, now) + plan.period - now;
    if (log === undefined || log.length === 0) return 0;
    return Math.max(0, log.instant(log.length - 1) + plan.period - now);
  },

  record(state, units, now) {
    if (units < 0) state.log?.takeBack(-units);
    if (units <= 0) return;
    state.since = present(state, now);
    state.log ??= new Log();
    state.log.push({ instant: state.since, units });
  },
};
