import { SpillwayError } from "../../core/index.ts";

/** Requires a number above 0. Pure. @throws SpillwayError `bad-option` */
export function checkPositive(field: string, value: unknown): void {
  if (Number.isFinite(value) && (value as number) > 0) return;
  throw badOption({ field, value, expected: "a number above 0" });
}

/** Requires a function for each signal. Pure. @throws SpillwayError `bad-option` */
export function checkSignals(signals: readonly unknown[]): void {
  for (const value of signals) {
    if (typeof value === "function") continue;
    const expected = "a function that returns a number, or undefined";
    throw badOption({ field: "signal", value, expected });
  }
}

type Found = { readonly field: string; readonly value: unknown; readonly expected: string };

/** The error for an option that is none. */
export function badOption(found: Found): SpillwayError {
  return new SpillwayError({ code: "bad-option", ...found });
}
