/** A store for express-rate-limit, so that its limits hold across processes and to the unit. */
import { checkOptions } from "../../../internal/index.ts";
import type { Mode } from "../../../limits/core/index.ts";
import { HIT_STORE_OPTIONS, HitStore, type HitStoreOptions } from "../index.ts";

export type { HitStore, HitStoreOptions } from "../index.ts";

/**
 * Makes a `store` for express-rate-limit, versions 6 to 8.
 *
 * One for each limiter; in a store that several share, each with a `name` of its own.
 *
 * Not for new code: `spillway/express` charges nothing for a refusal, and knows other kinds of limit.
 *
 * @throws SpillwayError `unknown-field`, `bad-option`
 * @example
 * rateLimit({ windowMs: 60_000, limit: 100, store: expressRateLimitStore({ store: redisStore(redis) }) })
 */
export function expressRateLimitStore<M extends Mode = "now">(
  options: HitStoreOptions<M> = {},
): HitStore<M> {
  checkOptions("expressRateLimitStore", options, HIT_STORE_OPTIONS);
  return new HitStore({ name: "express-rate-limit", ...options });
}
