import { badOption, checkOptions } from "../../internal/index.ts";
import type { Signal } from "../signal.ts";
import { checkSignal, readingOf } from "./reading.ts";

type SmoothedOptions = {
  /** The weight of each reading, above 0 and up to 1. At 1 nothing is smoothed. */
  readonly weight: number;
};

/**
 * Creates a signal that is the moving average of another signal.
 *
 * Each read takes `weight` of the new value and the rest of the old average. It steadies a signal
 * that jumps, but reacts later: after `n` reads of a new level, (1 − weight)ⁿ of the difference
 * remains. It counts reads, not time: read it at regular intervals. If the signal returns undefined
 * or throws, so does this one, and the average restarts with the next number. Not for signals that
 * are averages already.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function smoothed(signal: Signal, options: SmoothedOptions): Signal {
  checkSignal(signal);
  const weight = checkedWeight(options);
  let average: number | undefined;
  return () => {
    const reading = readingOf(signal);
    const value = reading.ok ? reading.value : undefined;
    if (value === undefined) average = undefined;
    else average = average === undefined ? value : average + weight * (value - average);
    if (!reading.ok) throw reading.error;
    return average;
  };
}

function checkedWeight(options: SmoothedOptions): number {
  checkOptions("smoothed", options, ["weight"]);
  const { weight } = options;
  if (typeof weight === "number" && weight > 0 && weight <= 1) return weight;
  throw badOption("weight", weight, "a number above 0, up to 1");
}
