/** How much of each unit a request uses: requests, tokens, or whatever a server counts. */
import { abandon, badOption } from "../../internal/index.ts";
import type { ClientRequest } from "../requests/request.ts";

/**
 * Units of each kind, by the names that servers have for them: `{ tokens: 900 }`. Numbers from 0 to
 * 10⁹.
 *
 * `requests` are 1 unless they are named; `input-tokens` and `output-tokens` are what `tokens` are.
 */
export type Counts = { readonly [unit: string]: number };

/** The same, where a number alone means tokens. */
export type CountOption =
  | number
  | Counts
  | ((request: ClientRequest) => number | Counts | undefined);

const LARGEST_COUNT = 1_000_000_000;
const PARTS_OF_TOKENS: ReadonlySet<string> = new Set(["input-tokens", "output-tokens"]);

/** What a request uses of a unit; undefined where nobody says. Pure. */
export function countOf(counts: Counts, unit: string): number | undefined {
  if (unit === "requests") return counts.requests ?? 1;
  // Servers name units, as they like.
  if (Object.hasOwn(counts, unit)) return counts[unit];
  return PARTS_OF_TOKENS.has(unit) ? counts.tokens : undefined;
}

/** What a request uses, as said; undefined where nobody says. @throws SpillwayError `bad-option` */
export function countsOf(
  count: CountOption | undefined,
  request: ClientRequest,
): Counts | undefined {
  if (typeof count !== "function") return checkedCounts(count);
  const counts: unknown = count(request);
  abandon(counts);
  return checkedCounts(counts);
}

/** @throws SpillwayError `bad-option` if the keys are invalid */
export function checkCount(count: unknown): void {
  if (typeof count !== "function") checkedCounts(count);
}

function checkedCounts(count: unknown): Counts | undefined {
  if (count === undefined) return undefined;
  if (typeof count === "number") return { tokens: checkedNumber("count", count) };
  const isObject = typeof count === "object" && count !== null && !("then" in count);
  if (!isObject) throw badOption("count", count, "a number, or numbers by unit: { tokens: 900 }");
  for (const [unit, value] of Object.entries(count)) checkedNumber(`count.${unit}`, value);
  // What is counted when it is sent is taken back when it is over: nobody may change it meanwhile.
  return { ...(count as Counts) };
}

function checkedNumber(field: string, value: unknown): number {
  const fits = typeof value === "number" && value >= 0 && value <= LARGEST_COUNT;
  if (!fits) throw badOption(field, value, "a number from 0 to 1 000 000 000");
  return value;
}
