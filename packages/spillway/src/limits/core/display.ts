/** Formats values for messages. */
import { masked } from "./masked.ts";
import { printable, quoted } from "./printable.ts";

const LONGEST_SHOWN = 60;

/**
 * Formats a value for a message: short, quoted, secrets masked, and safe for terminals. The content
 * of an object is not shown. Pure.
 */
export function display(value: unknown): string {
  if (typeof value === "string") return quoted(masked(value), LONGEST_SHOWN);
  if (typeof value === "bigint") return printable(`${value}n`, LONGEST_SHOWN);
  return isPlain(value) ? String(value) : shape(value);
}

/** Describes the shape of a secret or private value: `a text of 12 characters`. Pure. */
export function shape(value: unknown): string {
  if (typeof value === "string") return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return value === undefined || value === null ? String(value) : `a ${typeof value}`;
}

/**
 * Returns what an error keeps of a value: numbers and the like unchanged, a text as messages show
 * it, otherwise the shape. Pure.
 */
export function kept(value: unknown): unknown {
  if (typeof value === "string") return printable(masked(value), LONGEST_SHOWN);
  return isPlain(value) ? value : shape(value);
}

function isPlain(value: unknown): boolean {
  return value === null || ["number", "bigint", "boolean", "undefined"].includes(typeof value);
}
