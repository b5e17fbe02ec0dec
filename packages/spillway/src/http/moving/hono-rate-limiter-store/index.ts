/** A store for hono-rate-limiter, so that its limits hold across processes and to the unit. */
import { checkOptions } from "../../../internal/index.ts";
import type { Mode } from "../../../limits/core/index.ts";
import { HIT_STORE_OPTIONS, HitStore, type HitStoreOptions } from "../index.ts";

export type { HitStore, HitStoreOptions } from "../index.ts";

/**
 * Makes a `store` for hono-rate-limiter 0.5.
 *
 * One for each limiter; in a store that several share, each with a `name` of its own.
 *
 * Not for new code: `spillway/hono` charges nothing for a refusal, and knows other kinds of limit.
 *
 * @throws SpillwayError `unknown-field`, `bad-option`
 * @example
 * rateLimiter({ windowMs: 60_000, limit: 100, keyGenerator, store: honoRateLimiterStore({ store }) })
 */
export function honoRateLimiterStore<M extends Mode = "now">(
  options: HitStoreOptions<M> = {},
): HitStore<M> {
  checkOptions("honoRateLimiterStore", options, HIT_STORE_OPTIONS);
  return new HitStore({ name: "hono-rate-limiter", ...options });
}
