/**
 * Concurrency: units are in flight, each held by a lease, until it is released or its time is over.
 * `used` is the sum of all leases' units, `since` the latest instant at which one was taken or
 * renewed: at most one `ttl` after it all are over.
 */
import { type Algorithm, type LeaseRef, Leases, type Plan, type State } from "../core/index.ts";
import { admitted, refused } from "./answers.ts";
import { ticksNeeded, unitsLeft } from "./ticks.ts";

/** The time as the leases see it: never before the newest of them. */
function present(state: State, now: number): number {
  return Math.max(state.since, now);
}

/** Units in flight at `now`. */
function spent(state: State, _plan: Plan, now: number): number {
  const instant = present(state, now);
  let units = state.used;
  for (const lent of state.leases ?? []) {
    if (lent.until > instant) break;
    units -= lent.units;
  }
  return units;
}

/** Milliseconds from `now` until only `allowed` of more units are in flight, if none is released. */
function waitFor(state: State, allowed: number, now: number): number {
  let units = state.used;
  for (const lent of state.leases ?? []) {
    units -= lent.units;
    if (units <= allowed) return lent.until - now;
  }
  return Number.POSITIVE_INFINITY;
}

/** Milliseconds from `now` until the newest lease is over, if any is in flight. */
function resetAfter(state: State, plan: Plan, now: number): number {
  return spent(state, plan, now) === 0 ? 0 : state.since + plan.period - now;
}

/** Forgets what is over, and returns the leases that are not. */
function inFlight(state: State, now: number): Leases {
  const instant = present(state, now);
  state.leases ??= new Leases();
  for (const { id, until, units } of state.leases) {
    if (until > instant) break;
    state.leases.remove(id);
    write(state, state.used - units, state.since);
  }
  return state.leases;
}

function lend(state: State, plan: Plan, { id, count }: LeaseRef, now: number): void {
  const leases = inFlight(state, now);
  const instant = present(state, now);
  leases.add({ id, units: count, until: instant + plan.period });
  write(state, state.used + count, instant);
}

function write(state: State, used: number, since: number): void {
  state.write({ used, since, previous: 0, unsettled: 0 });
}

/** Gives back what a lease holds; false where it was not in flight any more. */
export function release(state: State, held: LeaseRef, now: number): boolean {
  const leases = inFlight(state, now);
  if (leases.find(held.id)?.units !== held.count) return false;
  leases.remove(held.id);
  write(state, state.used - held.count, state.since);
  return true;
}

/** Lets a lease last for its whole time from `now`; false where it was not in flight any more. */
export function renew(state: State, plan: Plan, held: LeaseRef, now: number): boolean {
  if (!release(state, held, now)) return false;
  lend(state, plan, held, now);
  return true;
}

/** The steps of a concurrency limit, but for giving back. */
export const concurrency: Algorithm = {
  decide(state, plan, amount, now) {
    const used = spent(state, plan, now);
    const needed = ticksNeeded(plan, amount) + (amount.lease?.headroom ?? 0);
    if (used + needed > plan.capacityTicks) {
      return refused(
        plan,
        {
          remaining: unitsLeft(plan, used),
          retryAfter: waitFor(state, plan.capacityTicks - needed, now),
          resetAfter: resetAfter(state, plan, now),
        },
        needed > plan.capacityTicks ? "too large" : "limited",
      );
    }
    const isTaking = amount.count > 0;
    return admitted(plan, {
      remaining: unitsLeft(plan, used + amount.count),
      retryAfter: 0,
      resetAfter: isTaking ? present(state, now) + plan.period - now : resetAfter(state, plan, now),
    });
  },

  charge(state, plan, { count, lease }, now) {
    lend(state, plan, { id: lease?.id ?? 0, count }, now);
  },

  /** Leases are given back, not settled: this only forgets what is over. */
  settle(state, _plan, _settlement, now) {
    inFlight(state, now);
  },

  spent,

  unsettled: () => 0,

  resetAfter,

  begin(state, plan, opening, now) {
    state.leases = undefined;
    write(state, 0, now);
    // What another kind has counted is held by a lease of nobody's, until that is over.
    if (opening.spent > 0) lend(state, plan, { id: 0, count: opening.spent }, now);
  },

  inherit(state, plan, _from, now) {
    const leases = inFlight(state, now);
    const instant = present(state, now);
    leases.shorten(instant + plan.period);
    write(state, state.used, instant);
    return true;
  },
};
