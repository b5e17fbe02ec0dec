import { badOption, checkOptions } from "../../internal/index.ts";
import type { Signal } from "../signal.ts";
import { checkSignal, readingOf } from "./reading.ts";

type SmoothedOptions = {
  /** How much of each reading is taken over, above 0 up to 1: at 1 nothing is smoothed. */
  readonly weight: number;
};

/**
 * A signal's moving average: each read takes `weight` of what is new and keeps the rest of the old.
 *
 * It steadies a jumpy signal at the price of being late: after `n` reads of a new level it has gone
 * all but (1 − weight)ⁿ of the way. It counts reads, not time: read it at a steady pace. Where the
 * signal returns nothing, or throws, so does this, and begins anew with the next number. Not for what
 * is an average already.
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
