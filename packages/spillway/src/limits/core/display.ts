/** How messages show what was found. */
import { masked } from "./masked.ts";
import { printable, quoted } from "./printable.ts";

const LONGEST_SHOWN = 60;

/**
 * A value as a message may show it: short, quoted, without what looks like a secret, and safe whatever it
 * is. Of an object it says that it is one, and nothing that is in it. Pure.
 */
export function display(value: unknown): string {
  if (typeof value === "string") return quoted(masked(value), LONGEST_SHOWN);
  if (typeof value === "bigint") return printable(`${value}n`, LONGEST_SHOWN);
  return isPlain(value) ? String(value) : shape(value);
}

/** What kind of value it is, for one that is a secret, or somebody's: `a text of 12 characters`. Pure. */
export function shape(value: unknown): string {
  if (typeof value === "string") return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return value === undefined || value === null ? String(value) : `a ${typeof value}`;
}

/** What an error keeps of a value: what has nothing in it as it is, a text as messages show it, else its shape. Pure. */
export function kept(value: unknown): unknown {
  if (typeof value === "string") return printable(masked(value), LONGEST_SHOWN);
  return isPlain(value) ? value : shape(value);
}

function isPlain(value: unknown): boolean {
  return value === null || ["number", "bigint", "boolean", "undefined"].includes(typeof value);
}
