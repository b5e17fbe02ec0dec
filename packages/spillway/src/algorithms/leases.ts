/** The steps of a lease that was taken, under every definition of its limit that is in use. */
import type { LeaseRef, Plan, State } from "../core/index.ts";
import * as own from "./concurrency.ts";
import { releaseOthers, renewOthers } from "./definitions.ts";

/** Gives back what a lease holds; false where it was not in flight any more. */
export function release(state: State, held: LeaseRef, now: number): boolean {
  if (state.others !== undefined) releaseOthers(state, held, now);
  return own.release(state, held, now);
}

/** Lets a lease last for its whole time from `now`; false where it was not in flight any more. */
export function renew(state: State, plan: Plan, held: LeaseRef, now: number): boolean {
  const isHeld = own.renew(state, plan, held, now);
  if (isHeld && state.others !== undefined) renewOthers(state, held, now);
  return isHeld;
}
