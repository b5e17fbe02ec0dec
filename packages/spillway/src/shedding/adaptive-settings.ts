import type { Clock, Random, Scheduler } from "../limits/core/index.ts";
import type { CapEstimator } from "./estimators/cap-estimator.ts";
import type { Signal } from "./signal.ts";
import type { Tally } from "./tally.ts";

/** What an adaptive shedder works with, checked; all times are milliseconds. See its options. */
export type AdaptiveSettings = {
  readonly name: string;
  readonly tally: Tally;
  /** Cannot fail. */
  readonly gate: Signal;
  readonly threshold: number;
  /** Cannot fail. */
  readonly cap: CapEstimator;
  readonly target: number;
  readonly interval: number;
  readonly maxWaiting: number;
  readonly window: number;
  readonly slice: number;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: Random;
  /** For cohorts that nobody else can compute. */
  readonly secret: string | undefined;
};
