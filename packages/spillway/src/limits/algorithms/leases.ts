/**
 * Concurrency: units are in flight, each held by a lease, until it is released or its time is over.
 * `used` is the sum of all leases' units, `since` the latest instant at which one was taken or
 * renewed: at most one `ttl` after it all are over.
 */
import {
  type Algorithm,
  type Family,
  type LeaseRef,
  Leases,
  type Plan,
  type State,
} from "../core/index.ts";

/** The time as the leases see it: never before the newest of them. */
function present(state: State, now: number): number {
  return Math.max(state.since, now);
}

/** Forgets what is over, and returns the leases that are not. */
function inFlight(state: State, now: number): Leases {
  state.leases ??= new Leases();
  state.used -= state.leases.dropUntil(present(state, now));
  return state.leases;
}

/** Units in flight at `now`. */
function used(state: State, _plan: Plan, now: number): number {
  const { leases } = state;
  return leases === undefined ? state.used : state.used - leases.unitsUntil(present(state, now));
}

/** Has units held by a lease for its whole time from `now`: by a new one, or beside what it holds. */
function lend(state: State, plan: Plan, { id, count }: LeaseRef, now: number): void {
  const leases = inFlight(state, now);
  const instant = present(state, now);
  leases.add({ id, units: count, until: instant + plan.period });
  state.used += count;
  state.since = instant;
}

/** Gives back what a lease holds; false where it was not in flight any more. */
export function release(state: State, held: LeaseRef, now: number): boolean {
  const leases = inFlight(state, now);
  if (leases.find(held.id)?.units !== held.count) return false;
  leases.remove(held.id);
  state.used -= held.count;
  return true;
}

/** Lets a lease last for its whole time from `now`; false where it was not in flight any more. */
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

  /** If none is released before. */
  waitFor(atMost, state, _plan, now) {
    return (state.leases?.freedBy(state.used - atMost) ?? Number.POSITIVE_INFINITY) - now;
  },

  resetAfter(taken, state, plan, now) {
    if (taken > 0) return present(state, now) + plan.period - now;
    return used(state, plan, now) === 0 ? 0 : state.since + plan.period - now;
  },
};

/** Limits of units in flight. */
export const leases: Family = {
  name: "leases",

  charge(state, plan, { count, lease }, now) {
    lend(state, plan, { id: lease?.id ?? 0, count }, now);
  },

  /** Leases are given back, not settled: this only forgets what is over. */
  settle(state, _plan, _settlement, now) {
    inFlight(state, now);
    return 0;
  },

  begin(state, plan, initial, now) {
    state.log = undefined;
    state.leases = undefined;
    state.write({ used: 0, since: now, previous: 0, unsettled: 0 });
    // What another kind has counted is held by a lease of nobody's, until that is over.
    if (initial.used > 0) lend(state, plan, { id: 0, count: initial.used }, now);
  },

  /** Always, but no lease lasts longer than it would have, had it been taken now. */
  keep(state, plan, _from, now) {
    const instant = present(state, now);
    inFlight(state, now).shorten(instant + plan.period);
    state.since = instant;
    return true;
  },
};
