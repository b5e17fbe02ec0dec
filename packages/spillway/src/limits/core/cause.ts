import { display } from "./display.ts";
import { masked } from "./masked.ts";
import { printable } from "./printable.ts";

/** What others say of a failure, as a message may repeat it: on one line, cut, without what looks like a secret. Pure. */
export function shownReason(thrown: unknown): string {
  const said: unknown = thrown instanceof Error ? thrown.message : thrown;
  return typeof said === "string" ? printable(masked(said)) : display(said);
}

/**
 * What was thrown, as the cause of an error of this library: its name, code, message, and where it was
 * thrown. Drivers also put commands, parameters and connections on their errors, which are left out.
 */
export function causeOf(thrown: unknown): Error {
  const { name, code, message = "", stack = "" } = (thrown ?? {}) as Partial<Thrown>;
  const cause = new Error(shownReason(thrown));
  const title = typeof name === "string" ? name : "Error";
  const after = stack.indexOf(message) + message.length;
  const frames = message === "" || after < message.length ? "" : stack.slice(after);
  define(cause, "name", title);
  define(cause, "stack", `${title}: ${cause.message}${frames}`);
  if (typeof code === "string" || typeof code === "number") define(cause, "code", code);
  return cause;
}

type Thrown = Error & { readonly code: unknown };

function define(error: Error, property: "name" | "stack" | "code", value: unknown): void {
  Object.defineProperty(error, property, { value, configurable: true, writable: true });
}
