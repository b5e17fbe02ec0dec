import { between, given, needed, type OptionTable, readOptions } from "../internal/index.ts";
import { MINUTE, SECOND } from "../limits/core/index.ts";
import { AdmissionTally } from "./admission-tally.ts";
import { type CohortOptions, cohortTable } from "./options.ts";
import { shadowed } from "./shadowed.ts";
import type { Admission, Shedder } from "./shedder.ts";
import type { Signal } from "./signal.ts";
import { eventLoopUtilization } from "./signals/event-loop-utilization.ts";
import { safely } from "./signals/safely.ts";
import { UtilizationShedder } from "./utilization-shedder.ts";

/** Settings of a utilization shedder; all times are milliseconds. */
export type UtilizationShedderOptions = CohortOptions & {
  /** Returns the share of workers that are busy. Default: the event loop's utilization. */
  readonly signal?: Signal;
  /** Below this utilization ever less is refused: 0.01 to 0.99. Default: 0.7. */
  readonly lowWatermark?: number;
  /** Above this ever more is refused: from `lowWatermark` to 0.99. Default: 0.8. */
  readonly highWatermark?: number;
  /** How long it must be fully busy before anything is refused: 0 to a day. Default: 28 s. */
  readonly grace?: number;
  /** How long from refusing nothing to all but `critical`: 1 ms to a day. Default: 2 minutes. */
  readonly span?: number;
  /** How often the signal is read: 1 ms to a minute. Default: 1 second. */
  readonly window?: number;
};

const TABLE = {
  ...cohortTable("utilization"),
  signal: needed<Signal>(eventLoopUtilization),
  lowWatermark: given(0.7),
  highWatermark: given(0.8),
  grace: given(28 * SECOND),
  span: given(2 * MINUTE),
  window: between({ least: 1, most: MINUTE, otherwise: SECOND }),
} satisfies OptionTable<UtilizationShedderOptions>;

/**
 * Makes a shedder for workers whose utilization is known: slow both ways, never `critical`.
 *
 * While the workers are busier than `highWatermark`, ever more of the work is refused, the least important
 * first; while they are less busy than `lowWatermark`, ever less; between the two it stays as it is. The
 * last resort of a system that other limits hold within its means: for one that can be overloaded
 * within seconds, `adaptiveShedder` is quick enough.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function utilizationShedder(options: UtilizationShedderOptions = {}): Shedder<Admission> {
  const settings = readOptions({ of: "utilizationShedder" }, options, TABLE);
  const tally = new AdmissionTally(settings);
  const signal = safely(settings.signal, (error) => tally.signalFailed(error));
  const gap = Math.max(settings.grace, settings.window);
  const shedder = new UtilizationShedder({ ...settings, tally, signal, gap });
  return settings.shadow ? shadowed(shedder) : shedder;
}
