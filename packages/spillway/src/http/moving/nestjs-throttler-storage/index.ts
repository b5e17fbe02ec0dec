/** A storage for @nestjs/throttler, so that its limits hold across processes. */
import { checkOptions } from "../../../internal/index.ts";
import { RateLimiter } from "../../../limiter/index.ts";
import {
  type Decision,
  type Limits,
  type Mode,
  type Rate,
  RateLimitError,
  type Store,
} from "../../../limits/core/index.ts";

/** Settings of a storage. */
export type ThrottlerStorageOptions<M extends Mode> = {
  /** Where hits are kept. Default: a memory store of its own. */
  readonly store?: Store<M>;
  /**
   * How hits are counted. A sliding log, the default, is what @nestjs/throttler's own storage keeps;
   * the others cost a fixed number of bytes a key, whatever the limit.
   */
  readonly kind?: "sliding log" | "sliding window" | "fixed window" | "token bucket";
  /** Prefixes the names of throttlers, to separate the hits of modules. Default: "nestjs-throttler". */
  readonly name?: string;
};

/** What `increment` answers; times are seconds, rounded up. */
type ThrottlerRecord = {
  readonly totalHits: number;
  readonly timeToExpire: number;
  readonly isBlocked: boolean;
  readonly timeToBlockExpire: number;
};

/** What @nestjs/throttler calls a storage. Times that it is given are milliseconds. */
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
 * Makes a `storage` for @nestjs/throttler 6.
 *
 * As with its own, a request beyond the limit blocks its key for `blockDuration`, by default the
 * whole `ttl`, and the key is fully reset after that. A hit that can't be counted rejects with a
 * `RateLimitError`, which Nest answers with 503.
 *
 * Not for new code: `spillway/nest` blocks nobody for a single request too many, and takes several
 * limits together or none.
 *
 * @throws SpillwayError `unknown-field`, `bad-store`
 * @example
 * ThrottlerModule.forRoot({ throttlers, storage: nestThrottlerStorage({ store: redisStore(redis) }) })
 */
export function nestThrottlerStorage<M extends Mode = "now">(
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

type Hit = {
  readonly budget: { readonly key: string; readonly config: Rate & { readonly period: number } };
  /** Milliseconds; 0 for no block. */
  readonly blockDuration: number;
};

/** Counts a hit; the first beyond the limit blocks its key. */
async function countHit<M extends Mode>(
  limiter: RateLimiter<Limits, M>,
  throttler: string,
  { budget, blockDuration }: Hit,
): Promise<ThrottlerRecord> {
  const decision = await limiter.limit(throttler, budget);
  const { ok, reason, retryAfter } = decision;
  if (reason === "unavailable") throw new RateLimitError(decision);
  if (ok || reason === "blocked" || blockDuration <= 0) {
    // At a limit of 0 no wait helps, and there is no way to say so.
    return recordOf(decision, Number.isFinite(retryAfter) ? retryAfter : budget.config.period);
  }
  await limiter.block(throttler, { ...budget, for: blockDuration });
  // No hit is admitted by the reset: the block stays.
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
