/**
 * Whether options are right. Fields are given by their names: `checkBetween({ target }, bounds)`.
 */
import { SpillwayError } from "../limits/core/index.ts";

/** Values by the names of their fields. */
type Fields = { readonly [field: string]: unknown };

/** The least and the most that a number may be. */
export type Bounds = { readonly least: number; readonly most: number };

/** Requires numbers within bounds. Pure. @throws SpillwayError `bad-option` */
export function checkBetween(fields: Fields, { least, most }: Bounds): void {
  const expected = `a number from ${least} to ${most}`;
  check(fields, expected, (value) => isNumber(value) && value >= least && value <= most);
}

/** Requires whole numbers within bounds. Pure. @throws SpillwayError `bad-option` */
export function checkWhole(fields: Fields, bounds: Bounds): void {
  const expected = `a whole number from ${bounds.least} to ${bounds.most}`;
  check(fields, expected, (value) => isWhole(value, bounds));
}

/** Requires numbers above 0. Pure. @throws SpillwayError `bad-option` */
export function checkPositive(fields: Fields): void {
  check(fields, "a number above 0", (value) => Number.isFinite(value) && (value as number) > 0);
}

/** Requires functions. Pure. @throws SpillwayError `bad-option` */
export function checkFunctions(fields: Fields): void {
  check(fields, "a function", (value) => typeof value === "function");
}

/** Requires a function for each signal. Pure. @throws SpillwayError `bad-option` */
export function checkSignals(signals: readonly unknown[]): void {
  const expected = "a function that returns a number, or undefined";
  for (const signal of signals) check({ signal }, expected, (value) => typeof value === "function");
}

/** Whether a value is a whole number within bounds. Pure. */
export function isWhole(value: unknown, { least, most }: Bounds): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

type Found = { readonly field: string; readonly value: unknown; readonly expected: string };

/** The error for an option that is none. */
export function badOption(found: Found): SpillwayError {
  return new SpillwayError({ code: "bad-option", ...found });
}

function check(fields: Fields, expected: string, isRight: (value: unknown) => boolean): void {
  for (const [field, value] of Object.entries(fields)) {
    if (!isRight(value)) throw badOption({ field, value, expected });
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
