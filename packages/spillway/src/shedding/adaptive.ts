import { checkOptions, DAY, HOUR, MINUTE, SECOND } from "../core/index.ts";
import { AdaptiveShedder } from "./adaptive-shedder.ts";
import { type CapEstimator, ConcurrencyCap } from "./estimators/concurrency-cap.ts";
import {
  checkBetween,
  checkFunction,
  checkWhole,
  commonOptions,
  SHEDDER_OPTIONS,
  type ShedderOptions,
} from "./options.ts";
import { shadowed } from "./shadowed.ts";
import type { Shedder } from "./shedder.ts";
import type { Signal } from "./signal.ts";
import { eventLoopUtilization } from "./signals/event-loop-utilization.ts";
import { safely } from "./signals/safely.ts";
import { Tally } from "./tally.ts";

/** Settings of an adaptive shedder; all times are milliseconds. */
export type AdaptiveShedderOptions = ShedderOptions & {
  /**
   * Tells whether the process is busy: unless it is `hot`, or the cap is reached, nothing is refused.
   * Above 1, less is let into flight. The event loop's utilization unless said.
   */
  readonly gate?: Signal;
  /** From which utilization on the gate is hot: above 0 to 1; 0.9 unless said. */
  readonly hot?: number;
  /** Finds out how much should be in flight; one of the four settings that follow unless said. */
  readonly cap?: CapEstimator;
  /** The most in flight to begin with: 32 unless said. It adapts. */
  readonly initial?: number;
  /** The least and the most that it can become: 4 and 1000 unless said. */
  readonly least?: number;
  readonly most?: number;
  /** How many times the usual latency is still no sign of a queue elsewhere: above 1; 2 unless said. */
  readonly tolerance?: number;
  /** How long work may wait here while more comes than can be served; 100 unless said. */
  readonly target?: number;
  /** For how long work has to wait for longer than `target` before any is refused; 500 unless said. */
  readonly interval?: number;
  /** The most pieces of work that wait here: 1000 unless said. */
  readonly maxWaiting?: number;
  /** How long is measured before anything is changed; 500 unless said. */
  readonly window?: number;
  /** For how long after its making work may wait, but is not refused; 5 seconds unless said. */
  readonly startup?: number;
  /** How long work is started in one turn of the event loop before others are heard; 10 unless said. */
  readonly slice?: number;
};

const OWN: readonly (keyof AdaptiveShedderOptions)[] = [
  "gate",
  "hot",
  "cap",
  "initial",
  "least",
  "most",
  "tolerance",
  "target",
  "interval",
  "maxWaiting",
  "window",
  "startup",
  "slice",
];

/**
 * Makes a shedder for one process that finds out by itself how much it can do.
 *
 * While there is room work starts at once. What comes while the process is busy waits for the end of
 * the turn of the event loop, so that what matters more is heard before; work in flight is capped
 * where more of it would only queue elsewhere. Where work waits for long, the least important
 * priorities are refused at once, and in the priority of which a part can stay, users stay or go for
 * an hour as a whole; what is admitted waits no longer than `target`, the newest first.
 *
 * Every admission has to be `done`, whatever happens. Not for bounding one user's work, which a limit
 * does, nor for work that one process starts and others do: see `fleetShedder`.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 * @example
 * const shedder = adaptiveShedder();
 * using admission = await shedder.admit({ priority: "low", cohort: userId });
 * if (!admission.ok) return unavailable(admission.retryAfter);
 */
export function adaptiveShedder(options: AdaptiveShedderOptions = {}): Shedder {
  checkOptions("adaptiveShedder", options, [...SHEDDER_OPTIONS, ...OWN]);
  const common = commonOptions(options, "adaptive");
  const { gate = eventLoopUtilization(), hot = 0.9, maxWaiting = 1000 } = options;
  checkFunction("gate", gate);
  checkBetween("hot", hot, { least: 0.01, most: 1 });
  checkWhole("maxWaiting", maxWaiting, { least: 1, most: 1_000_000 });
  const tally = new Tally(common);
  const shedder = new AdaptiveShedder({
    ...common,
    ...times(options),
    tally,
    gate: safely(gate, (error) => tally.signalFailed(error)),
    hot,
    cap: capOf(options),
    maxWaiting,
  });
  return common.shadow ? shadowed(shedder) : shedder;
}

function capOf(options: AdaptiveShedderOptions): CapEstimator {
  const { cap, window = 500, least = 4, most = 1000, initial = 32, tolerance = 2 } = options;
  checkWhole("most", most, { least: 1, most: 1_000_000 });
  checkWhole("least", least, { least: 1, most });
  const start = options.initial === undefined ? Math.min(most, Math.max(least, initial)) : initial;
  checkWhole("initial", start, { least, most });
  checkBetween("tolerance", tolerance, { least: 1.01, most: 100 });
  if (cap === undefined) {
    return new ConcurrencyCap({ least, most, initial: start, tolerance, window });
  }
  checkFunction("cap.learn", cap.learn);
  checkFunction("cap.press", cap.press);
  checkWhole("cap.cap", cap.cap, { least: 1, most: 1_000_000 });
  return cap;
}

function times(options: AdaptiveShedderOptions) {
  const { target = 100, interval = 500, window = 500, slice = 10 } = options;
  const { startup = 5 * SECOND } = options;
  checkBetween("target", target, { least: 1, most: HOUR });
  checkBetween("interval", interval, { least: 1, most: HOUR });
  checkBetween("window", window, { least: 10, most: MINUTE });
  checkBetween("startup", startup, { least: 0, most: DAY });
  checkBetween("slice", slice, { least: 0.1, most: MINUTE });
  return { target, interval, window, slice, startup };
}
