/** Reads a descriptor's `rate_limit`: its amounts, its names, and what applies beside it. */
import type { Limit } from "spillway";
import { milliseconds } from "spillway/core";
import { MODES, RATE_LIMIT_SHAPE } from "./field-table.ts";
import { fieldValue, type RuleField, type RuleFields, readFields } from "./fields.ts";
import { readLimit } from "./read-limit.ts";
import { readDuration, readWord } from "./read-pace.ts";
import { readParents } from "./read-parents.ts";
import { readReplaces } from "./read-replaces.ts";
import type { Parent, Rule } from "./rules.ts";
import { readBoolean, readText } from "./scalars.ts";
import type { RuleSource } from "./source.ts";

/** Fields for amounts, which contradict `unlimited`. */
const AMOUNTS = [
  "unit",
  "requests_per_unit",
  "kind",
  "period",
  "start",
  "capacity",
  "ttl",
  "max_reserved",
  "shards",
  "share",
  "penalty",
  "jitter",
  "when_unavailable",
  "mode",
];

/** A limit's name, and the nearest limit above. */
type RuleContext = { readonly ruleName: string; readonly above: Parent | undefined };

type RateLimitFields = Pick<
  Rule,
  "limit" | "switchedOff" | "jitter" | "label" | "replaces" | "parents"
> & { readonly isShadow: boolean };

/** Reads a `rate_limit`; undefined if it is invalid, which is reported. */
export function readRateLimit(
  source: RuleSource,
  field: RuleField,
  { ruleName, above }: RuleContext,
): RateLimitFields | undefined {
  const fields = readFields(source, field.value, RATE_LIMIT_SHAPE);
  if (fields === undefined) return undefined;
  const label = readText(source, fields, "name") || undefined;
  const replaces = readReplaces(source, fields, label);
  const parents = readParents(source, fields, above);
  const limit = readBoolean(source, fields, "unlimited")
    ? unlimited(source, fields)
    : readLimit(source, fields, { field, ruleName });
  const jitter = milliseconds(readDuration(source, fields, { name: "jitter", code: "bad-jitter" }));
  const mode = readWord(source, fields, { name: "mode", code: "bad-mode", words: MODES });
  if (limit === undefined) return undefined;
  const isOff = mode === "off" && limit !== "unlimited";
  return {
    limit: isOff ? "unlimited" : limit,
    switchedOff: isOff ? limit : undefined,
    isShadow: mode === "shadow",
    jitter,
    label,
    replaces,
    parents,
  };
}

/** The field that envoyproxy/ratelimit ignores beside `unlimited`. */
const IGNORED = "requests_per_unit";

function unlimited(source: RuleSource, fields: RuleFields): Limit | "unlimited" {
  for (const name of AMOUNTS.filter((amount) => fieldValue(fields, amount) !== undefined)) {
    if (name === IGNORED) {
      warnOfRate(source, fields);
      continue;
    }
    const expected = "nothing else if unlimited is true";
    const hint = `Leave out either ${name} or unlimited`;
    const code = "unlimited-with-limit";
    source.complain(fields.get(name)?.name ?? null, { code, found: name, expected, hint });
  }
  return "unlimited";
}

function warnOfRate(source: RuleSource, fields: RuleFields): void {
  const place = fields.get(IGNORED)?.name;
  if (place === undefined) return;
  const expected = "nothing else if unlimited is true; it admits everything";
  source.warn(place, { code: "ignored-rate", found: IGNORED, expected });
}
