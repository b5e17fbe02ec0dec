/** The steps of every kind that charge nothing. They add blocks, and asks that can never fit. */
import type { Amount, Decision, Plan, Reason, State, Value } from "../core/index.ts";
import { isPenalty, withoutPenalty } from "./penalty-record.ts";
import { usedAt } from "./ticks.ts";

/** Returns the decision on an amount as if it were charged if admitted. Changes nothing. */
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

/**
 * Returns the maximum number of ticks that may be used before a call is admitted; below 0 if it
 * never can be.
 */
function mostBefore(plan: Plan, { count, reserve, lease }: Amount): number {
  // A count of 0 asks whether one unit is left.
  const room = plan.capacityTicks - (count || 1) * plan.ticksPerUnit;
  if (lease !== undefined) return room - lease.headroom;
  return reserve ? room + plan.reservableTicks : room;
}

/** Returns when an admitted call may start: if calls queue, after everything admitted before. */
function startAfter(state: State, plan: Plan, { count }: Amount, now: number): number {
  const atMost = plan.queues ? 0 : mostBefore(plan, { count, reserve: false });
  const isThere = usedAt(state, plan, now) <= atMost;
  return isThere ? 0 : plan.algorithm.waitFor(atMost, state, plan, now);
}

/**
 * Returns a refusal with its reason. Its fields are in the order of an admission, so that all
 * decisions have one shape.
 */
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
    reason: isBlocked
      ? blockOf(state, now)
      : mostBefore(plan, amount) < 0
        ? "too large"
        : "limited",
    degraded: undefined,
  };
}

/** Returns the reason of the block in force. */
function blockOf({ penalty }: State, now: number): Reason {
  return isPenalty(penalty, now) ? "penalized" : "blocked";
}

/**
 * Returns the milliseconds until a call fits that does not fit now; `Infinity` if it never will.
 *
 * Assumes that nothing else happens.
 */
function fitsAfter(state: State, plan: Plan, amount: Amount, now: number): number {
  const atMost = mostBefore(plan, amount);
  if (atMost < 0) return Number.POSITIVE_INFINITY;
  return plan.algorithm.waitFor(atMost, state, plan, now);
}

/**
 * Returns the exact wait of a blocked key. After the block has ended, it may still have to wait for
 * units.
 */
function unblockedAfter(state: State, plan: Plan, amount: Amount, now: number): number {
  const wait = state.blockedUntil - now;
  const then = decide(state, plan, amount, state.blockedUntil);
  return then.ok ? wait : wait + then.retryAfter;
}

/** Returns the whole units left if this many ticks are used. */
function unitsLeft({ capacityTicks, ticksPerUnit }: Plan, used: number): number {
  return used < capacityTicks ? Math.floor((capacityTicks - used) / ticksPerUnit) : 0;
}

/**
 * Refuses everything for `ms` milliseconds from `now`, or from `state.since` if that is later.
 * Replaces any earlier block, also that of a penalty.
 *
 * It also brings what was used to `now`. So if the clock steps back, the block moves back by as
 * much as the state.
 */
export function block(state: State, plan: Plan, ms: number, now: number): void {
  plan.algorithm.advance(state, plan, now);
  // `since` stays: windows must remain aligned, and all leases in flight end within one `ttl` of
  // it.
  const stays = plan.windowAlignment > 1 || (state.leases?.size ?? 0) > 0;
  if (!stays) state.since = Math.max(state.since, now);
  state.blockedUntil = Math.max(state.since, now) + ms;
  state.penalty = withoutPenalty(state.penalty);
}

/** Ends a block, and forgets refusals and penalties. */
export function unblock(state: State): void {
  state.blockedUntil = 0;
  state.penalty = undefined;
}

/**
 * Returns the milliseconds until a state equals a fresh one, including its block; 0 if it does
 * already.
 */
export function resetAfter(state: State, plan: Plan, now: number): number {
  return Math.max(state.blockedUntil - now, plan.algorithm.resetAfter(0, state, plan, now));
}

/** Returns what a key has left. */
export function valueAt(state: State, plan: Plan, now: number): Value {
  const used = usedAt(state, plan, now);
  return {
    limit: plan.limit,
    capacity: plan.capacity,
    remaining: unitsLeft(plan, used),
    reserved: Math.max(0, Math.ceil((used - plan.capacityTicks) / plan.ticksPerUnit)),
    resetAfter: resetAfter(state, plan, now),
    blockedFor: Math.max(0, state.blockedUntil - now),
    ...(isPenalty(state.penalty, now) && { penalized: true }),
  };
}

/**
 * Returns an admission that was not charged, because another limit refused, with what is really
 * left.
 */
export function notCharged(decision: Decision, { remaining, resetAfter }: Value): Decision {
  return { ...decision, remaining, resetAfter };
}
