/** A storage for @nestjs/throttler, so that its limits hold across processes. */
import { checkOptions } from "../../../internal/index.ts";
import { RateLimiter } from "../../../limiter/index.ts";
import {
  type Decision,
  type Limits,
  type Rate,
  RateLimitError,
  type Store,
  type Timing,
} from "../../../limits/core/index.ts";

/** Options of a storage. */
type ThrottlerStorageOptions<M extends Timing> = {
  /** Keeps the hits. Default: a new memory store. */
  readonly store?: Store<M>;
  /**
   * How hits are counted. Default: `"sliding log"`, as in the storage of @nestjs/throttler.
   *
   * The other kinds use a fixed number of bytes per key, independent of the limit.
   */
  readonly kind?: "sliding log" | "sliding window" | "fixed window" | "token bucket";
  /**
   * Prefixes the names of throttlers, to separate the hits of modules. Default: "nestjs-throttler".
   */
  readonly name?: string;
};

/** The result of `increment`. Times are in seconds, rounded up. */
type ThrottlerRecord = {
  readonly totalHits: number;
  readonly timeToExpire: number;
  readonly isBlocked: boolean;
  readonly timeToBlockExpire: number;
};

/** A storage as @nestjs/throttler defines it. The times that it receives are in milliseconds. */
type ThrottlerStorage = {
  increment(
    key: string,
    ttl: number,
    limit: number,
    blockDuration: number,
    throttlerName: string,
  ): Promise<ThrottlerRecord>;
};

/**
 * Creates a `storage` for @nestjs/throttler 6.
 *
 * As in its own storage, a request beyond the limit blocks its key for `blockDuration`, by default
 * the whole `ttl`. The key is fully reset after that. A hit that can't be counted rejects with a
 * `RateLimitError`, which Nest answers with 503.
 *
 * Not for new code: `spillway/nest` does not block a key for one excess request, and takes several
 * limits together or none.
 *
 * @throws SpillwayError `unknown-field`, `bad-store`
 * @example
 * const storage = nestThrottlerStorage({ store: redisStore(redis) });
 * ThrottlerModule.forRoot({ throttlers, storage })
 */
export function nestThrottlerStorage<M extends Timing = "now">(
  options: ThrottlerStorageOptions<M> = {},
): ThrottlerStorage {
  checkOptions("nestThrottlerStorage", options, ["store", "kind", "name"]);
  const { store, kind = "sliding log", name = "nestjs-throttler" } = options;
  const limiter = new RateLimiter<Limits, M>({}, store === undefined ? {} : { store });
  return {
    increment: (key, ttl, limit, blockDuration, throttler) =>
      countHit(limiter, `${name}:${throttler}`, {
        blockDuration,
        budget: { key, config: { kind, rate: limit, period: ttl } },
      }),
  };
}

type ThrottlerHit = {
  readonly budget: { readonly key: string; readonly config: Rate & { readonly period: number } };
  /** Milliseconds; 0 for no block. */
  readonly blockDuration: number;
};

/** Counts a hit. The first hit beyond the limit blocks its key. */
async function countHit<M extends Timing>(
  limiter: RateLimiter<Limits, M>,
  throttler: string,
  { budget, blockDuration }: ThrottlerHit,
): Promise<ThrottlerRecord> {
  const decision = await limiter.limit(throttler, budget);
  const { ok, reason, retryAfter } = decision;
  if (reason === "unavailable") throw new RateLimitError(decision);
  if (ok || reason === "blocked" || blockDuration <= 0) {
    // At a limit of 0, waiting never helps. The record can't express that, so it has the period.
    return recordOf(decision, Number.isFinite(retryAfter) ? retryAfter : budget.config.period);
  }
  await limiter.block(throttler, { ...budget, for: blockDuration });
  // This reset admits no hit, because the block remains.
  await limiter.reset(throttler, budget);
  return recordOf(decision, blockDuration);
}

function recordOf(
  { ok, capacity, remaining, resetAfter }: Decision,
  wait: number,
): ThrottlerRecord {
  return {
    totalHits: capacity - remaining + (ok ? 0 : 1),
    timeToExpire: Math.ceil(resetAfter / 1000),
    isBlocked: !ok,
    timeToBlockExpire: Math.ceil(wait / 1000),
  };
}
