/** The steps of every kind: with blocks, asks that can never fit, and other definitions of a limit. */
import type { Amount, Decision, LeaseRef, Plan, Settlement, State, Value } from "../core/index.ts";
import { admitted, refused, unitsLeft } from "./answers.ts";
import { chargeOthers, releaseOthers, renewOthers } from "./definitions.ts";
import * as leases from "./leases.ts";
import { usedAt } from "./ticks.ts";

/** Answers an ask as if it were charged where it is admitted; changes nothing. */
export function decide(state: State, plan: Plan, amount: Amount, now: number): Decision {
  if (state.blockedUntil > now) return blocked(state, plan, amount, now);
  const largest = amount.reserve ? plan.largestReserved : plan.largest;
  if (amount.count > largest || largest === 0) return tooLarge(state, plan, now);
  const { algorithm } = plan;
  const used = algorithm.used(state, plan, now);
  // A count of 0 asks whether one unit is there.
  const needed = (amount.count || 1) * plan.ticksPerUnit + (amount.lease?.headroom ?? 0);
  const room = plan.capacityTicks - needed;
  const atMost = amount.reserve ? room + plan.debtTicks : room;
  if (used > atMost) {
    const retryAfter = algorithm.waitFor(state, plan, atMost, now);
    const resetAfter = algorithm.resetAfter(state, plan, 0, now);
    const reason = atMost < 0 ? "too large" : "limited";
    return refused(plan, { used, retryAfter, resetAfter }, reason);
  }
  const taken = amount.count * plan.ticksPerUnit;
  const startAt = plan.queues ? 0 : room;
  return admitted(plan, {
    used: used + taken,
    retryAfter: used > startAt ? algorithm.waitFor(state, plan, startAt, now) : 0,
    resetAfter: algorithm.resetAfter(state, plan, taken, now),
  });
}

/** The wait is exact: once the block has ended, the key may have to wait for its units. */
function blocked(state: State, plan: Plan, amount: Amount, now: number): Decision {
  const wait = state.blockedUntil - now;
  const then = decide(state, plan, amount, state.blockedUntil);
  return refused(
    plan,
    {
      used: plan.capacityTicks,
      retryAfter: then.ok ? wait : wait + then.retryAfter,
      resetAfter: resetAfter(state, plan, now),
    },
    "blocked",
  );
}

function tooLarge(state: State, plan: Plan, now: number): Decision {
  return refused(
    plan,
    {
      used: usedAt(state, plan, now),
      retryAfter: Number.POSITIVE_INFINITY,
      resetAfter: resetAfter(state, plan, now),
    },
    "too large",
  );
}

/** Takes what `decide` has just admitted; a count of 0 writes nothing. */
export function charge(state: State, plan: Plan, amount: Amount, now: number): void {
  if (amount.count === 0) return;
  plan.family.charge(state, plan, amount, now);
  if (state.others !== undefined) chargeOthers(state, plan, amount, now);
}

/** Replaces an estimate that was taken by the true number. */
export function settle(state: State, plan: Plan, settlement: Settlement, now: number): void {
  const count = plan.family.settle(state, plan, settlement, now);
  // What was used beyond the estimate counts everywhere; what was not, was it here.
  if (count > 0 && state.others !== undefined) {
    chargeOthers(state, plan, { count, reserve: false }, now);
  }
}

/** Gives back what a lease holds; false where it was not in flight any more. */
export function release(state: State, lease: LeaseRef, now: number): boolean {
  if (state.others !== undefined) releaseOthers(state, lease, now);
  return leases.release(state, lease, now);
}

/** Lets a lease last for its whole time from `now`; false where it was not in flight any more. */
export function renew(state: State, plan: Plan, lease: LeaseRef, now: number): boolean {
  const isHeld = leases.renew(state, plan, lease, now);
  if (isHeld && state.others !== undefined) renewOthers(state, lease, now);
  return isHeld;
}

/**
 * Refuses everything for `ms` from now; while time stands still for the state, from when it goes on. What
 * was used is brought to now as well, so that a clock that goes back takes the block back with it, and
 * not by less.
 */
export function block(state: State, plan: Plan, ms: number, now: number): void {
  plan.algorithm.advance(state, plan, now);
  // Windows stay aligned, and leases in flight end by when the newest of them was taken.
  const stays = plan.windowAlignment > 1 || (state.leases?.size ?? 0) > 0;
  if (!stays) state.since = Math.max(state.since, now);
  state.blockedUntil = Math.max(state.since, now) + ms;
}

/** Milliseconds until a state equals a fresh one, its block included; 0 if it does. */
export function resetAfter(state: State, plan: Plan, now: number): number {
  return Math.max(state.blockedUntil - now, plan.algorithm.resetAfter(state, plan, 0, now));
}

/** What a key has left. */
export function valueAt(state: State, plan: Plan, now: number): Value {
  const used = usedAt(state, plan, now);
  return {
    limit: plan.limit,
    capacity: plan.capacity,
    remaining: unitsLeft(plan, used),
    reserved: Math.max(0, Math.ceil((used - plan.capacityTicks) / plan.ticksPerUnit)),
    resetAfter: resetAfter(state, plan, now),
    blockedFor: Math.max(0, state.blockedUntil - now),
  };
}

/** A yes that was not charged, because another limit said no: it says what is really left. */
export function notCharged(decision: Decision, { remaining, resetAfter }: Value): Decision {
  return { ...decision, remaining, resetAfter };
}
