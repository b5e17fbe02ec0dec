import type { Signal } from "../signal.ts";
import { readingOf } from "./reading.ts";

/** Is told that a signal failed. What it throws, or rejects with, is ignored. */
export type OnProblem = (error: Error) => unknown;

/**
 * A signal that can't fail: undefined where it throws, or tells what is no number from 0 up.
 *
 * A signal that fails must never shed everybody, nor stop who reads it. `onProblem` is told of each
 * kind of failure once, and again only after a number was told in between.
 */
export function safely(signal: Signal, onProblem: OnProblem): Signal {
  const known = new Set<string>();
  return () => {
    const reading = readingOf(signal);
    if (reading.ok) {
      if (reading.value !== undefined) known.clear();
      return reading.value;
    }
    if (!known.has(reading.kind)) {
      known.add(reading.kind);
      tell(onProblem, reading.error);
    }
    return undefined;
  };
}

function tell(onProblem: OnProblem, error: Error): void {
  try {
    const told = onProblem(error);
    if (told instanceof Promise) told.catch(() => {});
  } catch {
    // It is somebody else's code.
  }
}
