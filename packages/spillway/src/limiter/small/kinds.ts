/** The kinds of rate as functions: a bundle has only those that a program calls. */
import {
  fixedWindow as fixedWindowSteps,
  slidingLog as slidingLogSteps,
  slidingWindow as slidingWindowSteps,
  tokenBucket as tokenBucketSteps,
} from "../../limits/algorithms/index.ts";
import type {
  FixedWindow,
  LeakyBucket,
  RateAlgorithm,
  RateKind,
  SlidingLog,
  SlidingWindow,
  TokenBucket,
} from "../../limits/core/index.ts";

/** Fields that a small limiter does not have. */
type OtherField = "kind" | "shards" | "share" | "penalty" | "whenUnavailable" | "mode" | "groups";

/** A limit of a small limiter, which the functions of the kinds return. It is not checked yet. */
export type SmallLimit = {
  readonly kind: RateKind;
  /** The fields, as they were passed. */
  readonly fields: object;
  /** The arithmetic of the kind. */
  readonly steps: RateAlgorithm;
};

/**
 * Units refill continuously: bursts up to the capacity, the rate on average. Pure.
 *
 * @example
 * const limits = limiter({ api: tokenBucket({ rate: 10, period: "1m" }) });
 */
export function tokenBucket(fields: Omit<TokenBucket, OtherField>): SmallLimit {
  return { kind: "token bucket", fields, steps: tokenBucketSteps };
}

/** Units come back all at once when a window ends; unused units roll over. Pure. */
export function fixedWindow(fields: Omit<FixedWindow, OtherField>): SmallLimit {
  return { kind: "fixed window", fields, steps: fixedWindowSteps };
}

/** The previous window's units fade as the present one goes by: a close estimate. Pure. */
export function slidingWindow(fields: Omit<SlidingWindow, OtherField>): SmallLimit {
  return { kind: "sliding window", fields, steps: slidingWindowSteps };
}

/** Every admitted call is remembered for one period: exact in every span. Pure. */
export function slidingLog(fields: Omit<SlidingLog, OtherField>): SmallLimit {
  return { kind: "sliding log", fields, steps: slidingLogSteps };
}

/** Calls queue and start evenly spaced; a full queue refuses. Pure. */
export function leakyBucket(fields: Omit<LeakyBucket, OtherField>): SmallLimit {
  return { kind: "leaky bucket", fields, steps: tokenBucketSteps };
}
