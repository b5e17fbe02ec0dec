/**
 * Token bucket: units are refilled continuously until the bucket is full, `refillPerMs` ticks a
 * millisecond.
 *
 * The state holds how much is missing, not how much is there. So a fresh key is all zeros, and a
 * change of capacity needs no conversion.
 *
 * A leaky bucket uses the same arithmetic: the missing units here are the waiting units there.
 */
import type { Plan, RateAlgorithm, State } from "../core/index.ts";
import { EXACT, greatestDivisor } from "./ticks.ts";

/** Returns the ticks missing from the bucket at `now`. */
function missing(state: State, plan: Plan, now: number): number {
  const { used, since } = state;
  if (now <= since) return used;
  // A product above 2⁵³ is inexact, but it is then more than can be missing.
  return Math.max(0, used - (now - since) * plan.refillPerMs);
}

/** Returns the whole milliseconds from `now` until this many ticks are refilled; 0 for none. */
function dripTime(ticks: number, { since }: State, { refillPerMs }: Plan, now: number): number {
  if (ticks <= 0) return 0;
  // Exact: below 2⁵³ the quotient of two whole numbers is never rounded across a whole number.
  const drip = Math.ceil(ticks / refillPerMs);
  return since > now ? since - now + drip : drip;
}

/** The arithmetic of a token bucket. */
export const tokenBucket: RateAlgorithm = {
  /**
   * Returns the rate in lowest terms: the ticks refilled in a millisecond, and the ticks in one
   * unit.
   */
  countsOf({ rate, period }) {
    const shared = greatestDivisor(rate, period);
    const ticksPerUnit = period / shared;
    return { ticksPerUnit, refillPerMs: rate / shared, countsPerUnit: ticksPerUnit };
  },

  history: false,
  mostTicks: () => EXACT,

  advance(state, plan, now) {
    const used = missing(state, plan, now);
    state.used = used;
    state.unsettled = Math.min(state.unsettled, used);
    state.since = Math.max(state.since, now);
  },

  used: missing,

  waitFor(atMost, state, plan, now) {
    return dripTime(missing(state, plan, now) - atMost, state, plan, now);
  },

  resetAfter(taken, state, plan, now) {
    return dripTime(missing(state, plan, now) + taken, state, plan, now);
  },
};
