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

/** Options of a utilization shedder. All times are milliseconds. */
export type UtilizationShedderOptions = CohortOptions & {
  /** Returns the share of workers that are busy. Default: the event loop's utilization. */
  readonly signal?: Signal;
  /** Utilization below which the refused share shrinks: 0.01 to 0.99. Default: 0.7. */
  readonly lowWatermark?: number;
  /** Utilization above which the refused share grows: from `lowWatermark` to 0.99. Default: 0.8. */
  readonly highWatermark?: number;
  /** How long full utilization must last before anything is refused: 0 to a day. Default: 28 s. */
  readonly grace?: number;
  /**
   * How long full utilization takes from refusing nothing to all but `critical` work: 1 ms to a
   * day. Default: 2 minutes.
   */
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
 * Creates a shedder for workers whose utilization is known: slow both ways, never `critical` work.
 *
 * While utilization is above `highWatermark`, the refused share grows, the least important work
 * first. While it is below `lowWatermark`, the share shrinks. Between the two it stays the same.
 *
 * Use it as the last resort of a system that other limits already protect. For a system that can be
 * overloaded within seconds, use `adaptiveShedder`, which is quick enough.
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
