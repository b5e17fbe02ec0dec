import type { Signal } from "../signal.ts";
import { Failures, type OnProblem } from "./failures.ts";
import { readingOf } from "./reading.ts";

/**
 * A signal that can't fail: undefined where it throws, or returns what is no number from 0 up.
 *
 * A signal that fails must never shed everybody, nor stop who reads it. `onProblem` receives each
 * kind of failure once, and again only after it returned a number in between.
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
