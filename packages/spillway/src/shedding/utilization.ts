import { checkOptions, DAY, MINUTE, SECOND } from "../core/index.ts";
import {
  checkBetween,
  checkFunction,
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
import { UtilizationShedder } from "./utilization-shedder.ts";

/** Settings of a utilization shedder; all times are milliseconds. */
export type UtilizationShedderOptions = ShedderOptions & {
  /** Tells the share of workers that are busy; the event loop's utilization unless said. */
  readonly signal?: Signal;
  /** Below this utilization less is refused, from 0 to 1; 0.7 unless said. */
  readonly easy?: number;
  /** Above this more is refused, from `easy` to below 1; 0.8 unless said. */
  readonly hard?: number;
  /** How long it must be fully busy before anything is refused; 28 seconds unless said. */
  readonly grace?: number;
  /** How long from refusing nothing to refusing all but `critical`; 2 minutes unless said. */
  readonly span?: number;
  /** How often the signal is read; 1 second unless said. */
  readonly window?: number;
};

const OWN = ["signal", "easy", "hard", "grace", "span", "window"];

/**
 * Makes a shedder for a process whose workers' utilization is known: slow both ways, never `critical`.
 *
 * While the workers are busier than `hard`, ever more of the work is refused, the least important
 * first; while they are less busy than `easy`, ever less; between the two it stays as it is. The last
 * resort of a system that other limits hold within its means: for one that can be drowned within
 * seconds, `adaptiveShedder` is quick enough.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function utilizationShedder(options: UtilizationShedderOptions = {}): Shedder {
  checkOptions("utilizationShedder", options, [...SHEDDER_OPTIONS, ...OWN]);
  const common = commonOptions(options, "utilization");
  const { signal = eventLoopUtilization(), easy = 0.7, hard = 0.8 } = options;
  const { grace = 28 * SECOND, span = 2 * MINUTE, window = SECOND } = options;
  checkFunction("signal", signal);
  checkBetween("easy", easy, { least: 0.01, most: 0.99 });
  checkBetween("hard", hard, { least: easy, most: 0.99 });
  checkBetween("grace", grace, { least: 0, most: DAY });
  checkBetween("span", span, { least: 1, most: DAY });
  checkBetween("window", window, { least: 1, most: MINUTE });
  const tally = new Tally(common);
  const read = safely(signal, (error) => tally.signalFailed(error));
  const gap = Math.max(grace, window);
  const settings = { ...common, tally, signal: read, easy, hard, grace, span, gap, window };
  const shedder = new UtilizationShedder(settings);
  return common.shadow ? shadowed(shedder) : shedder;
}
