import {
  between,
  checkBetween,
  checkWhole,
  given,
  needed,
  type OptionsOf,
  type OptionTable,
  readOptions,
  whole,
} from "../internal/index.ts";
import { HOUR, MINUTE } from "../limits/core/index.ts";
import { AdaptiveShedder } from "./adaptive-shedder.ts";
import { AdmissionTally } from "./admission-tally.ts";
import { type CapEstimator, fixedCap, MOST_CAP } from "./estimators/cap-estimator.ts";
import { ConcurrencyCap } from "./estimators/concurrency-cap.ts";
import { type CohortOptions, cohortTable } from "./options.ts";
import { SafeCap } from "./safe-cap.ts";
import { shadowed } from "./shadowed.ts";
import type { Shedder } from "./shedder.ts";
import type { Signal } from "./signal.ts";
import { eventLoopUtilization } from "./signals/event-loop-utilization.ts";
import type { OnProblem } from "./signals/failures.ts";
import { safely } from "./signals/safely.ts";

/** Settings of an adaptive shedder; all times are milliseconds. */
export type AdaptiveShedderOptions = CohortOptions & {
  /**
   * Returns whether the process is busy. Default: the event loop's utilization.
   *
   * While it is below `threshold` and the capacity is not reached, no overload begins, and one that
   * is on ends. Above 1, less is let into flight. While it has no value, the threshold counts as
   * reached: then only work that waits for long shows an overload.
   */
  readonly gate?: Signal;
  /** The utilization from which on the gate shows a busy process: 0.01 to 1. Default: 0.9. */
  readonly threshold?: number;
  /**
   * How much may be in flight. Default: a `ConcurrencyCap` of the four settings that follow.
   *
   * A whole number from 1 to a million stays what it is; an estimator finds it out. One that
   * throws, or returns no such number, counts as what it was before.
   */
  readonly cap?: number | CapEstimator;
  /** The most in flight to begin with: from `least` to `most`. Default: 32. It adapts. */
  readonly initial?: number;
  /** The least that it can become: 1 to `most`. Default: 4. */
  readonly least?: number;
  /** The most that it can become: 1 to a million. Default: 1000. */
  readonly most?: number;
  /**
   * How many times the usual latency is no sign of a queue elsewhere: 1.01 to 100. Default: 2.
   */
  readonly tolerance?: number;
  /** How long work may wait while it is overloaded: 1 to an hour. Default: 100. */
  readonly target?: number;
  /**
   * How long work may wait before as much is refused, the least important first: from `target` to
   * an hour. Default: 550, or `target` if that is more; about half of what clients usually wait.
   */
  readonly interval?: number;
  /**
   * The most pieces of work that wait: 1 to a million. Default: 1000. It bounds memory, always.
   */
  readonly maxWaiting?: number;
  /** How long is measured before anything is changed: 10 to a minute. Default: 500. */
  readonly window?: number;
  /** How long work is started before other requests are heard: 0.1 to a minute. Default: 10. */
  readonly slice?: number;
};

const TABLE = {
  ...cohortTable("adaptive"),
  gate: needed<Signal>(eventLoopUtilization),
  threshold: between({ least: 0.01, most: 1, otherwise: 0.9 }),
  cap: given<number | CapEstimator>(),
  initial: given<number>(),
  least: given<number>(),
  most: given(1000),
  tolerance: given(2),
  target: between({ least: 1, most: HOUR, otherwise: 100 }),
  interval: given<number>(),
  maxWaiting: whole({ most: 1_000_000, otherwise: 1000 }),
  window: between({ least: 10, most: MINUTE, otherwise: 500 }),
  slice: between({ least: 0.1, most: MINUTE, otherwise: 10 }),
} satisfies OptionTable<AdaptiveShedderOptions>;

/**
 * Makes a shedder for one process that measures by itself how much it can do.
 *
 * While there is room work starts at once. What comes while the process is busy waits until all
 * that has come is read; no more is in flight than a capacity that is measured, where more would
 * only queue elsewhere. Where work waits for longer than `interval`, less twice the time that work
 * takes, as much is refused, the least important first; `critical` work only for its own waiting.
 * Where that goes on, only a share is let in: in the priority of which a part can stay, users stay
 * or go for an hour as a whole, and what has waited for `target` is refused, the newest starting
 * first.
 *
 * Report how each admission ended: `done()` when it was served, `done("streaming")` when a response
 * begins that is held open, `done("failed")`, or the end of a `using` block, when it broke off. Not
 * for bounding one user's work, which a limit does, nor for work that one process starts and others
 * do: see `fleetShedder`.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 * @example
 * const shedder = adaptiveShedder();
 * const admission = await shedder.admit({ priority: "low", cohort: userId });
 * if (!admission.ok) return unavailable(admission.retryAfter);
 * try {
 *   const answer = await work();
 *   admission.done();
 *   return answer;
 * } finally {
 *   admission.done("failed"); // where the work threw: only the first call counts
 * }
 */
export function adaptiveShedder(options: AdaptiveShedderOptions = {}): Shedder {
  const settings = readOptions({ of: "adaptiveShedder" }, options, TABLE);
  const { target, interval = Math.max(550, target) } = settings;
  checkBetween("interval", interval, { least: target, most: HOUR });
  const tally = new AdmissionTally(settings);
  const onProblem = (error: Error) => tally.signalFailed(error);
  const gate = safely(settings.gate, onProblem);
  const cap = capOf(settings, onProblem);
  const shedder = new AdaptiveShedder({ ...settings, tally, gate, cap, interval });
  return settings.shadow ? shadowed(shedder) : shedder;
}

function capOf(settings: OptionsOf<typeof TABLE>, onProblem: OnProblem): CapEstimator {
  const { cap, window, most, least = Math.min(4, most), tolerance } = settings;
  const { initial = Math.min(most, Math.max(least, 32)) } = settings;
  // Made anyway, for its settings to be checked.
  const own = new ConcurrencyCap({ least, most, initial, tolerance, window });
  if (cap === undefined) return own;
  if (typeof cap !== "number") return new SafeCap(cap, onProblem);
  checkWhole("cap", cap, { least: 1, most: MOST_CAP });
  return fixedCap(cap);
}
