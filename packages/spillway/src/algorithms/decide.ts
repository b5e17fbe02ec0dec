/** The steps of every kind: with blocks, and with asks that can never fit. */
import type { Amount, Decision, Plan, Settlement, State, Value } from "../core/index.ts";
import { refused } from "./answers.ts";
import { share, shareSettled } from "./definitions.ts";
import { unitsLeft } from "./ticks.ts";

/** Answers an ask as if it were charged where it is admitted; changes nothing. */
export function decide(state: State, plan: Plan, amount: Amount, now: number): Decision {
  if (state.blockedUntil > now) return blocked(state, plan, amount, now);
  const largest = amount.reserve ? plan.largestReserved : plan.largest;
  if (amount.count > largest || largest === 0) return tooLarge(state, plan, now);
  return plan.algorithm.decide(state, plan, amount, now);
}

/** Takes what `decide` has just admitted; a count of 0 writes nothing. */
export function charge(state: State, plan: Plan, amount: Amount, now: number): void {
  if (amount.count === 0) return;
  plan.algorithm.charge(state, plan, amount, now);
  if (state.others !== undefined) share(state, plan, amount, now);
}

/** Replaces an estimate that was taken by the true number. */
export function settle(state: State, plan: Plan, settlement: Settlement, now: number): void {
  plan.algorithm.settle(state, plan, settlement, now);
  if (state.others !== undefined) shareSettled(state, plan, settlement, now);
}

/**
 * Refuses everything for `ms` from now; while time stands still for the state, from when it goes on. What
 * was used is brought to now as well, so that a clock that goes back takes the block back with it, and
 * not by less.
 */
export function block(state: State, plan: Plan, ms: number, now: number): void {
  plan.algorithm.settle(state, plan, { reserved: 0, used: 0 }, now);
  const { used, since, previous, unsettled } = state;
  // Windows stay aligned, and leases in flight end by when the newest of them was taken.
  const stays = plan.windowAlignment > 1 || (plan.kind === "concurrency" && used > 0);
  if (!stays) state.write({ used, since: Math.max(since, now), previous, unsettled });
  state.blockedUntil = Math.max(state.since, now) + ms;
}

/** The wait is exact: once the block has ended, the key may have to wait for its units. */
function blocked(state: State, plan: Plan, amount: Amount, now: number): Decision {
  const wait = state.blockedUntil - now;
  const then = decide(state, plan, amount, state.blockedUntil);
  return refused(
    plan,
    {
      remaining: 0,
      retryAfter: then.ok ? wait : wait + then.retryAfter,
      resetAfter: resetAfter(state, plan, now),
    },
    "blocked",
  );
}

function tooLarge(state: State, plan: Plan, now: number): Decision {
  const spent = plan.algorithm.spent(state, plan, now);
  return refused(
    plan,
    {
      remaining: unitsLeft(plan, spent),
      retryAfter: Number.POSITIVE_INFINITY,
      resetAfter: resetAfter(state, plan, now),
    },
    "too large",
  );
}

/** Milliseconds until a state equals a fresh one, its block included; 0 if it does. */
export function resetAfter(state: State, plan: Plan, now: number): number {
  return Math.max(state.blockedUntil - now, plan.algorithm.resetAfter(state, plan, now));
}

/** What a key has left. */
export function valueAt(state: State, plan: Plan, now: number): Value {
  const spent = plan.algorithm.spent(state, plan, now);
  return {
    limit: plan.limit,
    capacity: plan.capacity,
    remaining: unitsLeft(plan, spent),
    reserved: Math.max(0, Math.ceil((spent - plan.capacityTicks) / plan.ticksPerUnit)),
    resetAfter: resetAfter(state, plan, now),
    blockedFor: Math.max(0, state.blockedUntil - now),
  };
}

/** A yes that was not taken, because another limit said no: it tells what is really left. */
export function notCharged(decision: Decision, { remaining, resetAfter }: Value): Decision {
  return { ...decision, remaining, resetAfter };
}
