import {
  between,
  callable,
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

/** Options of an adaptive shedder. All times are milliseconds. */
export type AdaptiveShedderOptions = CohortOptions & {
  /**
   * Returns how busy the process is. Default: the event loop's utilization.
   *
   * While it is below `threshold` and the capacity is not reached, no overload begins, and a
   * current one ends. Above 1, the capacity is lowered. While it returns undefined, the threshold
   * counts as reached: then only long waits show an overload.
   */
  readonly gate?: Signal;
  /** The utilization from which the process counts as busy: 0.01 to 1. Default: 0.9. */
  readonly threshold?: number;
  /**
   * How much work may be in flight. Default: a `ConcurrencyCap` of the four options that follow.
   *
   * A whole number from 1 to a million is fixed; an estimator adapts. If the estimator throws or
   * returns no such number, its last valid number is used.
   */
  readonly cap?: number | CapEstimator;
  /**
   * The capacity at the start, from `least` to `most`. It adapts. Default: 32, or the nearest
   * number in that range.
   */
  readonly initial?: number;
  /** The smallest capacity: 1 to `most`. Default: 4, or `most` if that is less. */
  readonly least?: number;
  /** The largest capacity: 1 to a million. Default: 1000. */
  readonly most?: number;
  /**
   * Returns how much work there may be in flight and held together, such as the number of
   * connections of a pool. Default: no such bound.
   *
   * Held work does not count for the capacity, but it keeps what it uses: without this bound, work
   * would start for which nothing is left, whatever its priority. Called for each piece of work. If
   * it throws, or returns undefined or no number from 0 up, there is no bound meanwhile.
   */
  readonly mostWithHeld?: Signal;
  /**
   * The multiple of the usual latency above which a queue elsewhere is suspected: 1.01 to 100.
   * Default: 2.
   */
  readonly tolerance?: number;
  /** How long work may wait during an overload: 1 ms to an hour. Default: 100 ms. */
  readonly target?: number;
  /**
   * How long work may wait and run before work is refused: from `target` to an hour.
   *
   * The run is counted as twice the usual latency. For each piece of work that waits longer, one is
   * refused, the least important first. Default: 550 ms, or `target` if that is more; 550 ms is
   * about half of what clients usually wait.
   */
  readonly interval?: number;
  /**
   * The maximum number of pieces of work that wait: 1 to a million. Default: 1000. It always bounds
   * memory.
   */
  readonly maxWaiting?: number;
  /**
   * How long the shedder measures before it changes anything: 10 ms to a minute. Default: 500 ms.
   */
  readonly window?: number;
  /** How long work is started before new requests are read: 0.1 ms to a minute. Default: 10 ms. */
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
  mostWithHeld: callable<Signal>(),
  tolerance: given(2),
  target: between({ least: 1, most: HOUR, otherwise: 100 }),
  interval: given<number>(),
  maxWaiting: whole({ most: 1_000_000, otherwise: 1000 }),
  window: between({ least: 10, most: MINUTE, otherwise: 500 }),
  slice: between({ least: 0.1, most: MINUTE, otherwise: 10 }),
} satisfies OptionTable<AdaptiveShedderOptions>;

/**
 * Creates a shedder for one process that measures its own capacity.
 *
 * While there is room, work starts at once. While the process is busy, work waits until all
 * requests that have arrived are read. No work starts while a measured capacity is reached: more
 * would only queue elsewhere.
 *
 * For each piece of work that has waited longer than `interval` minus twice the usual latency, one
 * piece is refused, the least important first. `critical` work is refused only if it has itself
 * waited for `interval`, or if `maxWaiting` pieces of critical work wait.
 *
 * If work is still lost after several windows, only a share is admitted. If only a part of a
 * priority can be admitted, each user is admitted or refused as a whole, for an hour. In that
 * priority and below, work that has waited for `target` is refused, and the newest work starts
 * first.
 *
 * Report how each admission ended: `done()` if it was served, and `done("streaming")` when a
 * response begins that stays open. If the work was aborted, call `done("failed")` or end a `using`
 * block. To bound the work of one user, use a limit instead. For work that one process starts and
 * others do, see `fleetShedder`.
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
 *   admission.done("failed"); // if the work threw; only the first call counts
 * }
 */
export function adaptiveShedder(options: AdaptiveShedderOptions = {}): Shedder {
  const settings = readOptions({ of: "adaptiveShedder", elsewhere: ELSEWHERE }, options, TABLE);
  const { target, interval = Math.max(550, target) } = settings;
  checkBetween("interval", interval, { least: target, most: HOUR });
  const tally = new AdmissionTally(settings);
  const onProblem = (error: Error) => tally.signalFailed(error);
  const gate = safely(settings.gate, onProblem);
  const cap = capOf(settings, onProblem);
  const mostWithHeld = settings.mostWithHeld && safely(settings.mostWithHeld, onProblem);
  const shedder = new AdaptiveShedder({ ...settings, tally, gate, cap, mostWithHeld, interval });
  return settings.shadow ? shadowed(shedder) : shedder;
}

/** The name of the same option in `fleetShedder`, whose letters are too far from `cap`. */
const ELSEWHERE = new Map([["capacity", "Did you mean cap?"]]);

function capOf(settings: OptionsOf<typeof TABLE>, onProblem: OnProblem): CapEstimator {
  const { cap, window, most, least = Math.min(4, most), tolerance } = settings;
  const { initial = Math.min(most, Math.max(least, 32)) } = settings;
  // Created in any case, so that its settings are checked.
  const own = new ConcurrencyCap({ least, most, initial, tolerance, window });
  if (cap === undefined) return own;
  if (typeof cap !== "number") return new SafeCap(cap, onProblem);
  checkWhole("cap", cap, { least: 1, most: MOST_CAP });
  return fixedCap(cap);
}
