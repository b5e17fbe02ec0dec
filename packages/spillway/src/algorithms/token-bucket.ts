/**
 * Token bucket: units drip back all the time, `refillPerMs` ticks each millisecond, until the bucket is
 * full. What is kept is how much is missing, not how much is there: then a fresh key is all zeros,
 * and a capacity that changes needs no conversion.
 *
 * A leaky bucket is the same seen from the other side: what is missing here is what waits there.
 */
import type { Plan, RateAlgorithm, State } from "../core/index.ts";
import { EXACT } from "./ticks.ts";

/** Ticks missing from the bucket at `now`. */
function missing(state: State, plan: Plan, now: number): number {
  const elapsed = now - state.since;
  if (elapsed <= 0) return state.used;
  // A product above 2⁵³ is inexact, but then it is more than could ever be missing.
  const left = state.used - elapsed * plan.refillPerMs;
  return Math.max(left, 0);
}

/** Whole milliseconds from `now` until `ticks` have dripped back; 0 for none. */
function dripTime(state: State, plan: Plan, ticks: number, now: number): number {
  if (ticks <= 0) return 0;
  // Exact: below 2⁵³ the quotient of two whole numbers is never rounded across a whole number.
  const drip = plan.refillPerMs === 1 ? ticks : Math.ceil(ticks / plan.refillPerMs);
  return state.since > now ? state.since - now + drip : drip;
}

/** The arithmetic of a token bucket. */
export const tokenBucket: RateAlgorithm = {
  counting: "drips",
  history: false,
  mostTicks: () => EXACT,

  advance(state, plan, now) {
    const used = missing(state, plan, now);
    state.used = used;
    state.unsettled = Math.min(state.unsettled, used);
    state.since = Math.max(state.since, now);
  },

  used: missing,

  waitFor(state, plan, atMost, now) {
    return dripTime(state, plan, missing(state, plan, now) - atMost, now);
  },

  resetAfter(state, plan, taken, now) {
    return dripTime(state, plan, missing(state, plan, now) + taken, now);
  },
};
