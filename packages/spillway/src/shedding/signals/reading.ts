import { abandon, badOption, requireFunction } from "../../internal/index.ts";
import type { Signal } from "../signal.ts";
import { errorOf, type SignalFailure } from "./failures.ts";

/** The value of a signal, or its failure. */
export type SignalReading =
  | { readonly ok: true; readonly value: number | undefined }
  | (SignalFailure & { readonly ok: false });

/** @throws SpillwayError `bad-option` if the value is not a function */
export function checkSignal(signal: unknown): void {
  requireFunction("signal", signal, "a function that returns a number, or undefined");
}

/** Reads a signal of foreign code. Never throws. */
export function readingOf(signal: Signal): SignalReading {
  let value: unknown;
  try {
    value = signal();
  } catch (thrown) {
    const error = errorOf(thrown);
    return { ok: false, kind: `threw ${error.name}`, error };
  }
  return value === undefined ? { ok: true, value } : checked(value);
}

function checked(value: unknown): SignalReading {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return { ok: true, value };
  // The promise is not awaited, and an unhandled rejection would end the process.
  abandon(value);
  const isNegative = typeof value === "number" && value < 0;
  const expected = "a number from 0 up, or undefined";
  const error = badOption("signal", value, expected);
  return { ok: false, kind: isNegative ? "negative" : "no number", error };
}
