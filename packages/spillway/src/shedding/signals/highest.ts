import { badOption } from "../../internal/index.ts";
import type { Signal } from "../signal.ts";
import { checkSignal, readingOf } from "./reading.ts";

/**
 * Creates a signal that returns the highest value of several signals.
 *
 * All are read each time, so that their windows stay equal. Signals that return undefined or fail
 * are ignored. If no value remains, it throws the first failure, so that it is reported; it returns
 * undefined if none failed. Not for signals of different scales: 1 must mean "as busy as it can be"
 * in each.
 *
 * @throws SpillwayError `bad-option` if one is not a function, or there are none.
 */
export function highest(...signals: readonly Signal[]): Signal {
  signals.forEach(checkSignal);
  if (signals.length === 0) {
    throw badOption("signals", signals, "at least one signal");
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
