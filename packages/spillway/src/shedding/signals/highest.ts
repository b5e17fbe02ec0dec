import { badOption } from "../../internal/index.ts";
import type { Signal } from "../signal.ts";
import { checkSignal, readingOf } from "./reading.ts";

/**
 * The highest of several signals: trouble is where any of them sees it.
 *
 * All are read each time, so that their windows stay alike. Those that return nothing, or fail, are
 * left out. Where that leaves none, it throws the first failure, so that somebody hears of it;
 * undefined where none failed either. Not for signals of unlike scales: 1 has to mean "as busy as
 * it can be" in each.
 *
 * @throws SpillwayError `bad-option` for one that is no function, and for none.
 */
export function highest(...signals: readonly Signal[]): Signal {
  signals.forEach(checkSignal);
  if (signals.length === 0) {
    throw badOption("signals", signals, "one signal at least");
  }
  return () => {
    const readings = signals.map(readingOf);
    const values = readings.flatMap((each) => (each.ok ? (each.value ?? []) : []));
    if (values.length > 0) return Math.max(...values);
    const failed = readings.find((each) => !each.ok);
    if (failed !== undefined) throw failed.error;
    return undefined;
  };
}
