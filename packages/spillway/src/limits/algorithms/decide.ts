/** The steps of every kind: with blocks, asks that can never fit, and other definitions of a limit. */
import type { Amount, Decision, LeaseRef, Plan, Settlement, State, Value } from "../core/index.ts";
import { chargeOthers, releaseOthers, renewOthers } from "./definitions.ts";
import * as leases from "./leases.ts";
import { usedAt } from "./ticks.ts";

/** Answers a call as if it were charged where it is admitted; changes nothing. */
export function decide(state: State, plan: Plan, amount: Amount, now: number): Decision {
  const { algorithm } = plan;
  const used = algorithm.used(state, plan, now);
  const atMost = mostBefore(plan, amount);
  if (used > atMost || state.blockedUntil > now) return refuse(state, plan, amount, now);
  const taken = amount.count * plan.ticksPerUnit;
  return {
    ok: true,
    limit: plan.limit,
    capacity: plan.capacity,
    remaining: unitsLeft(plan, used + taken),
    retryAfter: amount.reserve || plan.queues ? startAfter(state, plan, amount, now) : 0,
    resetAfter: algorithm.resetAfter(taken, state, plan, now),
    reason: undefined,
    degraded: undefined,
  };
}

/** The most ticks that may be used before a call is admitted; below 0 where it can never be. */
function mostBefore(plan: Plan, { count, reserve, lease }: Amount): number {
  // A count of 0 asks whether one unit is there.
  const room = plan.capacityTicks - (count || 1) * plan.ticksPerUnit;
  if (lease !== undefined) return room - lease.headroom;
  return reserve ? room + plan.reservableTicks : room;
}

/** When what was admitted may start: in a queue, after all that was admitted before. */
function startAfter(state: State, plan: Plan, { count }: Amount, now: number): number {
  const atMost = plan.queues ? 0 : mostBefore(plan, { count, reserve: false });
  const isThere = usedAt(state, plan, now) <= atMost;
  return isThere ? 0 : plan.algorithm.waitFor(atMost, state, plan, now);
}

/** No, and why. Fields in the order of a yes, so that all decisions have one shape. */
function refuse(state: State, plan: Plan, amount: Amount, now: number): Decision {
  const isBlocked = state.blockedUntil > now;
  return {
    ok: false,
    limit: plan.limit,
    capacity: plan.capacity,
    remaining: isBlocked ? 0 : unitsLeft(plan, usedAt(state, plan, now)),
    retryAfter: isBlocked
      ? unblockedAfter(state, plan, amount, now)
      : fitsAfter(state, plan, amount, now),
    resetAfter: resetAfter(state, plan, now),
    reason: isBlocked ? "blocked" : mostBefore(plan, amount) < 0 ? "too large" : "limited",
    degraded: undefined,
  };
}

/** When a call that does not fit will, if nothing else happens. */
function fitsAfter(state: State, plan: Plan, amount: Amount, now: number): number {
  const atMost = mostBefore(plan, amount);
  if (atMost < 0) return Number.POSITIVE_INFINITY;
  return plan.algorithm.waitFor(atMost, state, plan, now);
}

/** The wait is exact: once the block has ended, the key may have to wait for its units. */
function unblockedAfter(state: State, plan: Plan, amount: Amount, now: number): number {
  const wait = state.blockedUntil - now;
  const then = decide(state, plan, amount, state.blockedUntil);
  return then.ok ? wait : wait + then.retryAfter;
}

/** Whole units left where `used` ticks are gone. */
function unitsLeft({ capacityTicks, ticksPerUnit }: Plan, used: number): number {
  return used < capacityTicks ? Math.floor((capacityTicks - used) / ticksPerUnit) : 0;
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
  return Math.max(state.blockedUntil - now, plan.algorithm.resetAfter(0, state, plan, now));
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
