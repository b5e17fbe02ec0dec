/**
 * Concurrency: units are in flight. A lease holds them until it is released or expires.
 *
 * `used` is the sum of the units of all leases. `since` is the latest instant at which one was
 * taken or renewed: all have expired within one `ttl` of it.
 */
import {
  type Algorithm,
  type KindFamily,
  type LeaseRef,
  Leases,
  type Plan,
  type State,
} from "../core/index.ts";

/** Returns the time that applies to the leases: never before the newest of them. */
function present(state: State, now: number): number {
  return Math.max(state.since, now);
}

/** Removes expired leases, and returns the others. */
function inFlight(state: State, now: number): Leases {
  state.leases ??= new Leases();
  state.used -= state.leases.dropUntil(present(state, now));
  return state.leases;
}

/** Returns the units in flight at `now`. */
function used(state: State, _plan: Plan, now: number): number {
  const { leases } = state;
  return leases === undefined ? state.used : state.used - leases.unitsUntil(present(state, now));
}

/** Adds units to a lease, new or existing, and lets it last for its full duration from `now`. */
function lend(state: State, plan: Plan, { id, count }: LeaseRef, now: number): void {
  const leases = inFlight(state, now);
  const instant = present(state, now);
  leases.add({ id, units: count, until: instant + plan.period });
  state.used += count;
  state.since = instant;
}

/** Releases a lease. Returns false if it was not in flight any more. */
export function release(state: State, held: LeaseRef, now: number): boolean {
  const leases = inFlight(state, now);
  if (leases.find(held.id)?.units !== held.count) return false;
  leases.remove(held.id);
  state.used -= held.count;
  return true;
}

/**
 * Extends a lease to its full duration from `now`. Returns false if it was not in flight any more.
 */
export function renew(state: State, plan: Plan, { id, count }: LeaseRef, now: number): boolean {
  if (inFlight(state, now).find(id)?.units !== count) return false;
  lend(state, plan, { id, count: 0 }, now);
  return true;
}

/** The arithmetic of a concurrency limit. */
export const concurrency: Algorithm = {
  list: "leases",

  advance(state, _plan, now) {
    inFlight(state, now);
  },

  used,

  /** Assumes that no lease is released before it expires. */
  waitFor(atMost, state, _plan, now) {
    return (state.leases?.freedBy(state.used - atMost) ?? Number.POSITIVE_INFINITY) - now;
  },

  resetAfter(taken, state, plan, now) {
    if (taken > 0) return present(state, now) + plan.period - now;
    return used(state, plan, now) === 0 ? 0 : state.since + plan.period - now;
  },
};

/** Limits of units in flight. */
export const leases: KindFamily = {
  name: "leases",

  charge(state, plan, { count, lease }, now) {
    lend(state, plan, { id: lease?.id ?? 0, count }, now);
  },

  /** Only removes expired leases: leases are released, not settled. */
  settle(state, _plan, _settlement, now) {
    inFlight(state, now);
    return 0;
  },

  begin(state, plan, initial, now) {
    state.log = undefined;
    state.leases = undefined;
    state.write({ used: 0, since: now, previous: 0, unsettled: 0 });
    // Units counted by another kind are held by a lease without an owner, until it expires.
    if (initial.used > 0) lend(state, plan, { id: 0, count: initial.used }, now);
  },

  /** Always keeps the state. No existing lease lasts longer than a new one. */
  keep(state, plan, _from, now) {
    const instant = present(state, now);
    inFlight(state, now).shorten(instant + plan.period);
    state.since = instant;
    return true;
  },
};
