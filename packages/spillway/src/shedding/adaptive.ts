import { checkBetween, checkOptions, checkWhole, requireFunction } from "../internal/index.ts";
import { HOUR, MINUTE } from "../limits/core/index.ts";
import { AdaptiveShedder } from "./adaptive-shedder.ts";
import { checkCohortSecret } from "./cohort-hash.ts";
import { type CapEstimator, fixedCap, MOST_CAP } from "./estimators/cap-estimator.ts";
import { ConcurrencyCap } from "./estimators/concurrency-cap.ts";
import { COHORT_OPTIONS, type CohortOptions, commonOptions } from "./options.ts";
import { SafeCap } from "./safe-cap.ts";
import { shadowed } from "./shadowed.ts";
import type { Shedder } from "./shedder.ts";
import type { Signal } from "./signal.ts";
import { eventLoopUtilization } from "./signals/event-loop-utilization.ts";
import type { OnProblem } from "./signals/failures.ts";
import { safely } from "./signals/safely.ts";
import { Tally } from "./tally.ts";

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

const OWN: readonly (keyof AdaptiveShedderOptions)[] = [
  "gate",
  "threshold",
  "cap",
  "initial",
  "least",
  "most",
  "tolerance",
  "target",
  "interval",
  "maxWaiting",
  "window",
  "slice",
];

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
  checkOptions("adaptiveShedder", options, [...COHORT_OPTIONS, ...OWN]);
  const common = commonOptions(options, "adaptive");
  const { gate = eventLoopUtilization(), threshold = 0.9, maxWaiting = 1000, secret } = options;
  requireFunction("gate", gate);
  checkCohortSecret(secret);
  checkBetween("threshold", threshold, { least: 0.01, most: 1 });
  checkWhole("maxWaiting", maxWaiting, { least: 1, most: 1_000_000 });
  const tally = new Tally(common);
  const onProblem = (error: Error) => tally.signalFailed(error);
  const shedder = new AdaptiveShedder({
    ...common,
    ...times(options),
    tally,
    gate: safely(gate, onProblem),
    threshold,
    cap: capOf(options, onProblem),
    maxWaiting,
    secret,
  });
  return common.shadow ? shadowed(shedder) : shedder;
}

function capOf(options: AdaptiveShedderOptions, onProblem: OnProblem): CapEstimator {
  const { cap, window = 500, most = 1000, least = Math.min(4, most), tolerance = 2 } = options;
  const { initial = Math.min(most, Math.max(least, 32)) } = options;
  // Made anyway, for its settings to be checked.
  const own = new ConcurrencyCap({ least, most, initial, tolerance, window });
  if (cap === undefined) return own;
  if (typeof cap !== "number") return new SafeCap(cap, onProblem);
  checkWhole("cap", cap, { least: 1, most: MOST_CAP });
  return fixedCap(cap);
}

function times(options: AdaptiveShedderOptions) {
  const { target = 100, window = 500, slice = 10 } = options;
  const { interval = Math.max(550, target) } = options;
  checkBetween("target", target, { least: 1, most: HOUR });
  checkBetween("interval", interval, { least: target, most: HOUR });
  checkBetween("window", window, { least: 10, most: MINUTE });
  checkBetween("slice", slice, { least: 0.1, most: MINUTE });
  return { target, interval, window, slice };
}
