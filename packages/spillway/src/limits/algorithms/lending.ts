/**
 * Rates whose units can be lent to processes. A share is a lease of units.
 *
 * Lent units are part of `used` from the instant at which they are lent. They begin to come back
 * only after their holder reports them as used, or after the share expires. Units given back are
 * available at once.
 *
 * So the units in the store and those that holders can still use never exceed the capacity
 * together. Only refilling adds to them, at most at the rate. The bound of the kind therefore holds
 * unchanged.
 */
import type { Leases, LendingAlgorithm, Plan, RateAlgorithm, State } from "../core/index.ts";
import { fixedWindow } from "./fixed-window.ts";
import { slidingWindow } from "./sliding-window.ts";
import { tokenBucket } from "./token-bucket.ts";

/** A bucket at one instant: the missing ticks, and how many of them are lent. */
type LentBucketState = { used: number; since: number; lent: number };

/** Advances a bucket to an instant before which no share expires. Lent units do not come back. */
function refill(bucket: LentBucketState, { refillPerMs }: Plan, instant: number): void {
  if (instant <= bucket.since) return;
  const missing = bucket.used - (instant - bucket.since) * refillPerMs;
  bucket.used = Math.max(bucket.lent, missing);
  bucket.since = instant;
}

/** Returns the bucket at `now`, advanced from the expiry of one share to that of the next. */
function bucketAt({ used, since, leases }: State, plan: Plan, now: number): LentBucketState {
  const bucket = { used, since, lent: lentTicks(leases, plan) };
  if (leases === undefined) refill(bucket, plan, now);
  else passEnds(leases, bucket, plan, now);
  return bucket;
}

function passEnds(leases: Leases, bucket: LentBucketState, plan: Plan, now: number): void {
  for (const { units, until } of leases) {
    if (until > Math.max(now, bucket.since)) break;
    refill(bucket, plan, until);
    bucket.lent -= units * plan.ticksPerUnit;
  }
  refill(bucket, plan, now);
}

function lentTicks(leases: Leases | undefined, { ticksPerUnit }: Plan): number {
  return leases === undefined ? 0 : leases.units * ticksPerUnit;
}

/**
 * Returns the instant at which at most `atMost` ticks are missing; more are missing now. Exact if
 * no share is given back before.
 */
function instantOf(atMost: number, state: State, plan: Plan, bucket: LentBucketState): number {
  for (const { units, until } of state.leases ?? []) {
    if (until <= bucket.since) continue;
    if (bucket.lent <= atMost) {
      const instant = refilledAt(bucket, plan, atMost);
      if (instant <= until) return instant;
    }
    refill(bucket, plan, until);
    bucket.lent -= units * plan.ticksPerUnit;
  }
  return refilledAt(bucket, plan, atMost);
}

function refilledAt(
  { used, since }: LentBucketState,
  { refillPerMs }: Plan,
  atMost: number,
): number {
  return used <= atMost ? since : since + Math.ceil((used - atMost) / refillPerMs);
}

/** Removes expired shares. */
function dropEnded({ leases, since }: State, now: number): void {
  leases?.dropUntil(Math.max(since, now));
}

function lentBucket(): LendingAlgorithm {
  return {
    ...tokenBucket,
    list: "shares",

    advance(state, plan, now) {
      const { used, since, lent } = bucketAt(state, plan, now);
      state.used = used;
      state.since = since;
      // Lent units can't be settled, because they are not known to be used.
      state.unsettled = Math.min(state.unsettled, used - lent);
      dropEnded(state, now);
    },

    used(state, plan, now) {
      return bucketAt(state, plan, now).used;
    },

    waitFor(atMost, state, plan, now) {
      const bucket = bucketAt(state, plan, now);
      return bucket.used <= atMost ? 0 : instantOf(atMost, state, plan, bucket) - now;
    },

    resetAfter(taken, state, plan, now) {
      const bucket = bucketAt(state, plan, now);
      bucket.used += taken;
      return bucket.used <= 0 ? 0 : instantOf(0, state, plan, bucket) - now;
    },

    lentUntil: ({ since }, { share }, now) => Math.max(since, now) + share,
  };
}

/** Units lent in a window expire at its end, so that none is missing in the next window. */
function lentWindow(algorithm: RateAlgorithm): LendingAlgorithm {
  return {
    ...algorithm,
    list: "shares",

    advance(state, plan, now) {
      algorithm.advance(state, plan, now);
      dropEnded(state, now);
    },

    lentUntil: ({ since }, { share, period }, now) =>
      Math.min(Math.max(since, now) + share, since + period),
  };
}

/** The arithmetic of each kind whose units can be lent. */
export const lendingAlgorithms: { readonly [kind: string]: LendingAlgorithm } = {
  "token bucket": /* @__PURE__ */ lentBucket(),
  "fixed window": /* @__PURE__ */ lentWindow(fixedWindow),
  "sliding window": /* @__PURE__ */ lentWindow(slidingWindow),
};
