import { abandon, badOption, requireFunction } from "../../internal/index.ts";
import type { Signal } from "../signal.ts";
import { errorOf, type SignalFailure } from "./failures.ts";

/** What a signal returned, or how it failed. */
export type SignalReading =
  | { readonly ok: true; readonly value: number | undefined }
  | (SignalFailure & { readonly ok: false });

/** @throws SpillwayError `bad-option` if the keys are invalid */
export function checkSignal(signal: unknown): void {
  requireFunction("signal", signal, "a function that returns a number, or undefined");
}

/** Reads a signal that somebody else wrote, whatever it does. Throws nothing. */
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
  // Nobody waits for what it promises, nor for what it rejects with.
  abandon(value);
  const isNegative = typeof value === "number" && value < 0;
  const expected = "a number from 0 up, or undefined";
  const error = badOption("signal", value, expected);
  return { ok: false, kind: isNegative ? "negative" : "no number", error };
}
