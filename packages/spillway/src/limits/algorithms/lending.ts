/**
 * Rates of which units are lent to processes. A share is a lease of units, and what is lent stays
 * missing: it is among `used` from the instant at which it is lent until its holder reports it used or
 * gives it back, or until its time is over; only then does it begin to come back.
 *
 * So units in the store and units that holders can still use are together never more than the
 * capacity, and only refilling adds to them, at most at the rate: the bound of the kind, unchanged.
 */
import type { Leases, LendingAlgorithm, Plan, RateAlgorithm, State } from "../core/index.ts";
import { fixedWindow } from "./fixed-window.ts";
import { slidingWindow } from "./sliding-window.ts";
import { tokenBucket } from "./token-bucket.ts";

/** A bucket at one instant: what is missing, in ticks, and how much of that is lent. */
type Bucket = { used: number; since: number; lent: number };

/** Lets time pass until an instant, before which no share ends. What is lent does not come back. */
function refill(bucket: Bucket, { refillPerMs }: Plan, instant: number): void {
  if (instant <= bucket.since) return;
  const missing = bucket.used - (instant - bucket.since) * refillPerMs;
  bucket.used = Math.max(bucket.lent, missing);
  bucket.since = instant;
}

/** The bucket at `now`, walked from the end of one share to that of the next. */
function bucketAt({ used, since, leases }: State, plan: Plan, now: number): Bucket {
  const bucket = { used, since, lent: lentTicks(leases, plan) };
  if (leases === undefined) refill(bucket, plan, now);
  else passEnds(leases, bucket, plan, now);
  return bucket;
}

function passEnds(leases: Leases, bucket: Bucket, plan: Plan, now: number): void {
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

/** The instant at which at most so many ticks are missing, where more are: exact if nobody gives back. */
function instantOf(atMost: number, state: State, plan: Plan, bucket: Bucket): number {
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

function refilledAt({ used, since }: Bucket, { refillPerMs }: Plan, atMost: number): number {
  return used <= atMost ? since : since + Math.ceil((used - atMost) / refillPerMs);
}

/** Forgets the shares that are over. */
function dropEnded({ leases, since }: State, now: number): void {
  leases?.dropUntil(Math.max(since, now));
}

const lentBucket: LendingAlgorithm = {
  ...tokenBucket,
  list: "shares",

  advance(state, plan, now) {
    const { used, since, lent } = bucketAt(state, plan, now);
    state.used = used;
    state.since = since;
    // What is lent can't be settled: it has not been used yet, as far as is known.
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

/** Units that are lent in a window end with it, so that none has to stay missing in the next. */
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

/** The arithmetic of each kind of which units can be lent. */
export const lendingAlgorithms: { readonly [kind: string]: LendingAlgorithm } = {
  "token bucket": lentBucket,
  "fixed window": lentWindow(fixedWindow),
  "sliding window": lentWindow(slidingWindow),
};
