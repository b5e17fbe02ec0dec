import type { Signal } from "../signal.ts";
import { Failures, type OnProblem } from "./failures.ts";
import { readingOf } from "./reading.ts";

/**
 * Returns a signal that can't fail: undefined if the given one throws or returns no number from 0
 * up.
 *
 * A failing signal must neither shed all work nor stop its reader. `onProblem` receives each kind
 * of failure once, and again only after the signal has returned a number in between.
 */
export function safely(signal: Signal, onProblem: OnProblem): Signal {
  const failures = new Failures(onProblem);
  return () => {
    const reading = readingOf(signal);
    if (!reading.ok) {
      failures.report(reading);
      return undefined;
    }
    if (reading.value !== undefined) failures.forget();
    return reading.value;
  };
}
