/** The steps of every kind that take units or give them back, under all definitions of a limit. */
import type { Amount, LeaseRef, Plan, Settlement, State } from "../core/index.ts";
import { chargeOthers, releaseOthers, renewOthers } from "./definitions.ts";
import * as leases from "./leases.ts";

/** Takes an amount that `decide` has just admitted. A count of 0 changes nothing. */
export function charge(state: State, plan: Plan, amount: Amount, now: number): void {
  if (amount.count === 0) return;
  plan.family.charge(state, plan, amount, now);
  if (state.others !== undefined) chargeOthers(state, plan, amount, now);
}

/** Replaces an estimate with the true number. */
export function settle(state: State, plan: Plan, settlement: Settlement, now: number): void {
  const count = plan.family.settle(state, plan, settlement, now);
  // Units used beyond the estimate count under all definitions. Units not used come back under this
  // one only.
  if (count > 0 && state.others !== undefined) {
    chargeOthers(state, plan, { count, reserve: false }, now);
  }
}

/** Releases a lease. Returns false if it was not in flight any more. */
export function release(state: State, lease: LeaseRef, now: number): boolean {
  if (state.others !== undefined) releaseOthers(state, lease, now);
  return leases.release(state, lease, now);
}

/**
 * Extends a lease to its full duration from `now`. Returns false if it was not in flight any more.
 */
export function renew(state: State, plan: Plan, lease: LeaseRef, now: number): boolean {
  const isHeld = leases.renew(state, plan, lease, now);
  if (isHeld && state.others !== undefined) renewOthers(state, lease, now);
  return isHeld;
}
