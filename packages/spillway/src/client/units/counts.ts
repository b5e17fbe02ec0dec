/**
 * How much of each unit a request uses: requests, tokens, or any other unit that a server counts.
 */
import { abandon, badOption } from "../../internal/index.ts";
import type { ClientRequest } from "../requests/request.ts";

/**
 * The units that a request uses, by the names that servers give them: `{ tokens: 900 }`. From 0 to
 * 10⁹ each.
 *
 * Default of `requests`: 1. Default of `input-tokens` and of `output-tokens`: the number of
 * `tokens`.
 */
export type Counts = { readonly [unit: string]: number };

/** The units that a request uses, or a function that returns them. A number alone means tokens. */
export type CountOption =
  | number
  | Counts
  | ((request: ClientRequest) => number | Counts | undefined);

const LARGEST_COUNT = 1_000_000_000;
const PARTS_OF_TOKENS: ReadonlySet<string> = new Set(["input-tokens", "output-tokens"]);

/** Returns how much of a unit a request uses; undefined if that is not known. Pure. */
export function countOf(counts: Counts, unit: string): number | undefined {
  if (unit === "requests") return counts.requests ?? 1;
  // Servers may give units any name, even that of an inherited property.
  if (Object.hasOwn(counts, unit)) return counts[unit];
  return PARTS_OF_TOKENS.has(unit) ? counts.tokens : undefined;
}

/**
 * Returns the units that a request uses, by the option; undefined if the option does not state
 * them.
 *
 * @throws SpillwayError `bad-option`
 */
export function countsOf(
  count: CountOption | undefined,
  request: ClientRequest,
): Counts | undefined {
  if (typeof count !== "function") return checkedCounts(count);
  const counts: unknown = count(request);
  abandon(counts);
  return checkedCounts(counts);
}

/** @throws SpillwayError `bad-option` if the value is not a valid `count` option */
export function checkCount(count: unknown): void {
  if (typeof count !== "function") checkedCounts(count);
}

function checkedCounts(count: unknown): Counts | undefined {
  if (count === undefined) return undefined;
  if (typeof count === "number") return { tokens: checkedNumber("count", count) };
  const isObject = typeof count === "object" && count !== null && !("then" in count);
  if (!isObject) throw badOption("count", count, "a number, or numbers by unit: { tokens: 900 }");
  for (const [unit, value] of Object.entries(count)) checkedNumber(`count.${unit}`, value);
  // Copied: the units counted at the start of a request are taken back at its end, and must not
  // change in between.
  return { ...(count as Counts) };
}

function checkedNumber(field: string, value: unknown): number {
  const fits = typeof value === "number" && value >= 0 && value <= LARGEST_COUNT;
  if (!fits) throw badOption(field, value, "a number from 0 to 1 000 000 000");
  return value;
}
