/** A store for express-rate-limit, so that its limits are exact across processes. */
import { checkOptions } from "../../../internal/index.ts";
import type { Timing } from "../../../limits/core/index.ts";
import { HIT_STORE_OPTIONS, HitStore, type HitStoreOptions } from "../index.ts";

export type { HitStore, HitStoreOptions } from "../index.ts";

/**
 * Creates a `store` for express-rate-limit, versions 6 to 8.
 *
 * Each limiter needs its own. If several share one underlying store, each needs its own `name`.
 *
 * Not for new code: `spillway/express` charges nothing for refusals and has more kinds of limits.
 *
 * @throws SpillwayError `unknown-field`, `bad-option`
 * @example
 * const store = expressRateLimitStore({ store: redisStore(redis) });
 * rateLimit({ windowMs: 60_000, limit: 100, store })
 */
export function expressRateLimitStore<M extends Timing = "now">(
  options: HitStoreOptions<M> = {},
): HitStore<M> {
  checkOptions("expressRateLimitStore", options, HIT_STORE_OPTIONS);
  return new HitStore({ name: "express-rate-limit", ...options });
}
