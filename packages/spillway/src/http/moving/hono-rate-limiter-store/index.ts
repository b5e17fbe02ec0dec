/** A store for hono-rate-limiter, so that its limits are exact across processes. */
import { checkOptions } from "../../../internal/index.ts";
import type { Timing } from "../../../limits/core/index.ts";
import { HIT_STORE_OPTIONS, HitStore, type HitStoreOptions } from "../index.ts";

export type { HitStore, HitStoreOptions } from "../index.ts";

/**
 * Creates a `store` for hono-rate-limiter 0.5.
 *
 * Each limiter needs its own. If several share one underlying store, each needs its own `name`.
 *
 * Not for new code: `spillway/hono` charges nothing for refusals and has more kinds of limits.
 *
 * @throws SpillwayError `unknown-field`, `bad-option`
 * @example
 * const counts = honoRateLimiterStore({ store });
 * rateLimiter({ windowMs: 60_000, limit: 100, keyGenerator, store: counts })
 */
export function honoRateLimiterStore<M extends Timing = "now">(
  options: HitStoreOptions<M> = {},
): HitStore<M> {
  checkOptions("honoRateLimiterStore", options, HIT_STORE_OPTIONS);
  return new HitStore({ name: "hono-rate-limiter", ...options });
}
