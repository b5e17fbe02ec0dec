/** A descriptor's `rate_limit`: what it allows, and what it is called. */
import type { Rate } from "spillway";
import { planFor } from "spillway/algorithms";
import { checkLimit, SpillwayError } from "spillway/core";
import { RULE_CODES } from "../error-codes.ts";
import { type Field, type Fields, fieldValue, readFields, type Shape } from "./fields.ts";
import { readKind, readPeriod } from "./read-pace.ts";
import type { Rule } from "./rules.ts";
import { readBoolean, readText, readUnits } from "./scalars.ts";
import type { Source } from "./source.ts";

const SHAPE: Shape = {
  what: "rate_limit",
  known: ["unit", "requests_per_unit", "unlimited", "name", "kind", "period", "capacity"],
  later: ["replaces"],
};

/** What says how much is allowed, and so goes with no `unlimited`. */
const AMOUNTS = ["unit", "requests_per_unit", "kind", "period", "capacity"];

/** Reads a `rate_limit`; undefined where, after a complaint, it is none. */
export function readRateLimit(
  source: Source,
  field: Field,
  ruleName: string,
): Pick<Rule, "limit" | "label"> | undefined {
  const fields = readFields(source, field.value, SHAPE);
  if (fields === undefined) return undefined;
  const label = readText(source, fields, "name") || undefined;
  const limit = readBoolean(source, fields, "unlimited")
    ? unlimited(source, fields)
    : readLimit(source, fields, { field, ruleName });
  return limit && { limit, label };
}

function unlimited(source: Source, fields: Fields): "unlimited" {
  for (const name of AMOUNTS.filter((amount) => fieldValue(fields, amount) !== undefined)) {
    const expected = "nothing else where unlimited is true";
    const hint = `Leave out either ${name} or unlimited`;
    const code = "unlimited-with-limit";
    source.complain(fields.get(name)?.name ?? null, { code, found: name, expected, hint });
  }
  return "unlimited";
}

const REQUESTS = {
  name: "requests_per_unit",
  code: "bad-requests-per-unit",
  otherwise: 0,
  ifMore: "For no limit at all, write unlimited: true",
} as const;

const CAPACITY = {
  name: "capacity",
  code: "bad-capacity",
  ifMore: "No key can hold more",
} as const;

/** Where a limit stands, and what it is called. */
type Place = { readonly field: Field; readonly ruleName: string };

function readLimit(source: Source, fields: Fields, place: Place): Rate | undefined {
  const kind = readKind(source, fields);
  const period = readPeriod(source, fields, place.field);
  const rate = readUnits(source, fields, REQUESTS);
  const capacity = readUnits(source, fields, { ...CAPACITY, otherwise: rate });
  if (kind === undefined || period === undefined) return undefined;
  if (rate === undefined || capacity === undefined) return undefined;
  // Windows begin with the UTC minute, hour or day, at one instant for every key.
  const aligned = kind === "fixed window" || kind === "sliding window" ? { start: 0 } : {};
  return exact(source, { kind, rate, period, capacity, ...aligned }, { ...place, fields });
}

/** The limit, if the library can hold all of it together. */
function exact(
  source: Source,
  limit: Rate,
  { field, fields, ruleName }: Place & { readonly fields: Fields },
): Rate | undefined {
  try {
    checkLimit(ruleName, limit);
    planFor(ruleName, limit);
    return Object.freeze(limit);
  } catch (error) {
    const code = RULE_CODES.find((known) => error instanceof SpillwayError && known === error.code);
    if (code === undefined) throw error;
    const { field: at = "", message: hint } = error as SpillwayError;
    const found = "numbers that do not go together";
    const expected = "a limit that can be kept exactly";
    source.complain(fieldValue(fields, at) ?? field.name, { code, found, expected, hint });
    return undefined;
  }
}
