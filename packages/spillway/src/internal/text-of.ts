/** Checks text returned by a program's functions, and formats the errors that they throw. */
import { abandon, display } from "../limits/core/index.ts";
import { badOption } from "./check-options.ts";

/**
 * Checks that an answer is text, not a promise of it. @throws SpillwayError `bad-option`, which
 * names the option
 */
export function textFrom(field: string, answer: unknown): string {
  if (typeof answer === "string") return answer;
  abandon(answer);
  throw badOption(field, answer, "a function that returns text, at once");
}

/**
 * Whether a value is an error, of this realm or another, such as a test runner's. Throws nothing.
 */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    return false;
  }
}

/** Formats a thrown value for a message. Pure; never throws, even if reading the value does. */
export function textOf(thrown: unknown): string {
  try {
    return isError(thrown) ? `${thrown.name}: ${thrown.message}` : display(thrown);
  } catch {
    return "an error that can't be read";
  }
}
