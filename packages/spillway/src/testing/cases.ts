import type { RateLimiter } from "../limiter/index.ts";
import type { Limits, Mode, Store } from "../limits/core/index.ts";
import type { ManualClock } from "./manual-clock.ts";

/** A limiter whose store may answer at once or later. */
export type TestedLimiter = RateLimiter<Limits, Mode>;

/** What a case does with a limiter over an empty store. */
export type CaseBody = (
  limiter: TestedLimiter,
  clock: ManualClock,
  store: Store<Mode>,
) => Promise<void>;

/** A store beside one in memory, both by one clock. */
export type Comparison = {
  readonly store: Store<Mode>;
  readonly ours: Store<"now">;
  readonly clock: ManualClock;
  readonly seed: number;
};
