import type { RateLimiter } from "../limiter/index.ts";
import type { Limits, Store, Timing } from "../limits/core/index.ts";
import type { ManualClock } from "./manual-clock.ts";

/** A limiter over a store that answers at once or later. */
export type TestedLimiter = RateLimiter<Limits, Timing>;

/** The function that a conformance case runs. The limiter's store is empty. */
export type CaseBody = (
  limiter: TestedLimiter,
  clock: ManualClock,
  store: Store<Timing>,
) => Promise<void>;

/** A store under test and a memory store that share one clock, with the seed of the comparison. */
export type Comparison = {
  readonly store: Store<Timing>;
  readonly ours: Store<"now">;
  readonly clock: ManualClock;
  readonly seed: number;
};
