/**
 * Token bucket: units drip back all the time, `refillPerMs` ticks each millisecond, until the bucket is
 * full. What is kept is how much is missing, not how much is there: then a fresh key is all zeros,
 * and a capacity that changes needs no conversion.
 *
 * A leaky bucket is the same seen from the other side: what is missing here is what waits there.
 */
import type { Plan, RateAlgorithm, State } from "../core/index.ts";
import { EXACT, greatestDivisor } from "./ticks.ts";

/** Ticks missing from the bucket at `now`. */
function missing(state: State, plan: Plan, now: number): number {
  const { used, since } = state;
  if (now <= since) return used;
  // A product above 2⁵³ is inexact, but then it is more than could ever be missing.
  return Math.max(0, used - (now - since) * plan.refillPerMs);
}

/** Whole milliseconds from `now` until `ticks` have dripped back; 0 for none. */
function dripTime(ticks: number, { since }: State, { refillPerMs }: Plan, now: number): number {
  if (ticks <= 0) return 0;
  // Exact: below 2⁵³ the quotient of two whole numbers is never rounded across a whole number.
  const drip = Math.ceil(ticks / refillPerMs);
  return since > now ? since - now + drip : drip;
}

/** The arithmetic of a token bucket. */
export const tokenBucket: RateAlgorithm = {
  /** The rate in lowest terms: so many ticks come back in a millisecond, of so many in a unit. */
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
