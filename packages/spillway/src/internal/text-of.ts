/** What a program's functions return where it has to be there at once, and what they throw. */
import { abandon, display } from "../limits/core/index.ts";
import { badOption } from "./check-options.ts";

/** An answer that has to be text. @throws SpillwayError `bad-option`, which names the option. */
export function textFrom(field: string, answer: unknown): string {
  if (typeof answer === "string") return answer;
  abandon(answer);
  throw badOption(field, answer, "a function that returns text, at once");
}

/** Whether it is an error, of this realm or another, as of a test's own. Throws nothing. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    return false;
  }
}

/** What was thrown, for a message: nothing of it is called that may throw again. Pure. */
export function textOf(thrown: unknown): string {
  try {
    return isError(thrown) ? `${thrown.name}: ${thrown.message}` : display(thrown);
  } catch {
    return "an error that can't be read";
  }
}
