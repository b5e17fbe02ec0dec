/** The ranges of the numbers of limits. Pure. */
import { MOST_UNITS } from "./limit.ts";

/** Whether a value is a number of units: whole, from 0 to the most that a limit can have. */
export function isUnits(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_UNITS;
}

/** Whether a value is in the range of `Date`, in which differences of instants are exact. */
export function isInstant(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= 8.64e15;
}
