import { display } from "./display.ts";
import { masked } from "./masked.ts";
import { printable } from "./printable.ts";

/**
 * Returns the message of an error for use in another message: on one line, cut, secrets masked.
 * Pure.
 */
export function shownReason(thrown: unknown): string {
  const said: unknown = thrown instanceof Error ? thrown.message : thrown;
  return typeof said === "string" ? printable(masked(said)) : display(said);
}

/**
 * Converts a thrown value to the cause of an error of this library: its name, code, message, and
 * stack. Commands, parameters and connections that drivers attach to their errors are left out.
 */
export function causeOf(thrown: unknown): Error {
  const { name, code, message = "", stack = "" } = (thrown ?? {}) as Partial<CodedError>;
  const cause = new Error(shownReason(thrown));
  const title = typeof name === "string" ? name : "Error";
  const after = stack.indexOf(message) + message.length;
  const frames = message === "" || after < message.length ? "" : stack.slice(after);
  define(cause, "name", title);
  define(cause, "stack", `${title}: ${cause.message}${frames}`);
  if (typeof code === "string" || typeof code === "number") define(cause, "code", code);
  return cause;
}

type CodedError = Error & { readonly code: unknown };

function define(error: Error, property: "name" | "stack" | "code", value: unknown): void {
  Object.defineProperty(error, property, { value, configurable: true, writable: true });
}
