/**
 * Token bucket: units drip back all the time, `refillPerMs` ticks each millisecond, until the bucket is
 * full. What is kept is how much is missing, not how much is there: then a fresh key is all zeros,
 * and a capacity that changes needs no conversion.
 */
import type { Algorithm, Plan, State } from "../core/index.ts";
import { admitted, refused } from "./answers.ts";
import { settled, ticksNeeded, type Usage, unitsLeft } from "./ticks.ts";

/** Ticks missing from the bucket at `now`. */
export function missing(state: State, plan: Plan, now: number): number {
  const elapsed = now - state.since;
  if (elapsed <= 0) return state.used;
  // A product above 2⁵³ is inexact, but then it is more than could ever be missing.
  const left = state.used - elapsed * plan.refillPerMs;
  return Math.max(left, 0);
}

/** Whole milliseconds from `now` until `ticks` have dripped back; 0 for none. */
export function dripTime(state: State, plan: Plan, ticks: number, now: number): number {
  if (ticks <= 0) return 0;
  // Exact: below 2⁵³ the quotient of two whole numbers is never rounded across a whole number.
  const drip = plan.refillPerMs === 1 ? ticks : Math.ceil(ticks / plan.refillPerMs);
  return state.since > now ? state.since - now + drip : drip;
}

/** What was used and may be settled at `now`. */
function usage(state: State, plan: Plan, now: number): Usage {
  const used = missing(state, plan, now);
  return { used, unsettled: Math.min(state.unsettled, used) };
}

function write(state: State, next: Usage, now: number): void {
  const since = Math.max(state.since, now);
  state.write({ used: next.used, since, previous: 0, unsettled: next.unsettled });
}

/** The steps of a token bucket. */
export const tokenBucket: Algorithm = {
  decide(state, plan, amount, now) {
    const used = missing(state, plan, now);
    const debt = used + ticksNeeded(plan, amount) - plan.capacityTicks;
    const excess = amount.reserve ? debt - plan.debtTicks : debt;
    if (excess > 0) {
      return refused(plan, {
        remaining: unitsLeft(plan, used),
        retryAfter: dripTime(state, plan, excess, now),
        resetAfter: dripTime(state, plan, used, now),
      });
    }
    const after = used + amount.count * plan.ticksPerUnit;
    return admitted(plan, {
      remaining: unitsLeft(plan, after),
      retryAfter: dripTime(state, plan, debt, now),
      resetAfter: dripTime(state, plan, after, now),
    });
  },

  charge(state, plan, amount, now) {
    const { used, unsettled } = usage(state, plan, now);
    const taken = amount.count * plan.ticksPerUnit;
    write(state, { used: used + taken, unsettled: unsettled + taken }, now);
  },

  settle(state, plan, settlement, now) {
    write(state, settled(usage(state, plan, now), settlement, plan.ticksPerUnit), now);
  },

  spent: missing,

  unsettled(state, plan, now) {
    return usage(state, plan, now).unsettled;
  },

  resetAfter(state, plan, now) {
    return dripTime(state, plan, missing(state, plan, now), now);
  },

  begin(state, _plan, { spent, unsettled }, now) {
    state.write({ used: spent, since: now, previous: 0, unsettled });
  },

  inherit: () => false,
};
