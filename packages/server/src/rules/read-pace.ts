/** Reads the kind of a limit and its period: `kind`, and `unit` or `period`. */
import type { Kind } from "spillway";
import { type Duration, milliseconds } from "spillway/core";
import { RATE_KINDS } from "spillway/support";
import { isScalar } from "yaml";
import type { RuleCode } from "../error-codes.ts";
import { describeNode } from "./describe-node.ts";
import { didYouMean, fieldValue, type RuleField, type RuleFields } from "./fields.ts";
import type { RuleSource } from "./source.ts";
import { UNITS } from "./units.ts";

/** The values of `kind`. */
export const KINDS: readonly Kind[] = [
  ...(Object.keys(RATE_KINDS) as (keyof typeof RATE_KINDS)[]),
  "concurrency",
];
const PERIOD = 'a text such as "90s", "15m", "12h" or "30d", from 1ms to 366d';

/**
 * Reads one of several words. Default: the first. Undefined if it is another word, which is
 * reported.
 */
export function readWord<W extends string>(
  source: RuleSource,
  fields: RuleFields,
  {
    name,
    code,
    words,
  }: { readonly name: string; readonly code: RuleCode; readonly words: readonly W[] },
): W | undefined {
  const node = fieldValue(fields, name);
  if (node === undefined) return undefined;
  const written = isScalar(node) ? String(node.value) : "";
  const word = words.find((known) => known === written);
  if (word !== undefined) return word;
  source.complain(node, {
    code,
    found: describeNode(node),
    expected: words.length === 1 ? `only ${words[0]}` : `one of ${words.join(", ")}`,
    hint: didYouMean(written, words) ?? unquoted(written, words),
  });
  return undefined;
}

/** Older YAML, and tools that write it, convert `off` to false. */
function unquoted(written: string, words: readonly string[]): string | undefined {
  return written === "false" && words.includes("off") ? 'Put it in quotes: "off"' : undefined;
}

/** Reads the kind. Default: a fixed window. Undefined if it is invalid, which is reported. */
export function readKind(source: RuleSource, fields: RuleFields): Kind | undefined {
  if (fieldValue(fields, "kind") === undefined) return "fixed window";
  return readWord(source, fields, { name: "kind", code: "bad-kind", words: KINDS });
}

/** Reads the period of a limit; undefined if there is none, which is reported. */
export function readPeriod(
  source: RuleSource,
  fields: RuleFields,
  limit: RuleField,
): Duration | undefined {
  if (fieldValue(fields, "period") === undefined) return readUnit(source, fields, limit);
  if (fieldValue(fields, "unit") !== undefined) {
    const expected = "either unit or period";
    const place = fields.get("period")?.name ?? null;
    source.complain(place, { code: "unit-and-period", found: "both", expected });
    return undefined;
  }
  return readDuration(source, fields, { name: "period", code: "bad-period" });
}

/** Reads a duration; undefined if it is missing, or invalid, which is reported. */
export function readDuration(
  source: RuleSource,
  fields: RuleFields,
  { name, code }: { readonly name: string; readonly code: RuleCode },
): Duration | undefined {
  const node = fieldValue(fields, name);
  if (node === undefined) return undefined;
  const time = isScalar(node) && typeof node.value === "string" ? node.value : undefined;
  if (milliseconds(time) !== undefined) return time as Duration;
  source.complain(node, { code, found: describeNode(node), expected: PERIOD });
  return undefined;
}

function readUnit(source: RuleSource, fields: RuleFields, limit: RuleField): number | undefined {
  const node = fieldValue(fields, "unit");
  const written = isScalar(node) ? String(node.value) : "";
  const ms = UNITS.get(written.toLowerCase());
  if (ms !== undefined) return ms;
  source.complain(node ?? limit.name, {
    code: "bad-unit",
    found: node === undefined ? "no unit" : describeNode(node),
    expected: `one of ${[...UNITS.keys()].join(", ")}`,
    hint: didYouMean(written, UNITS.keys()) ?? 'For other lengths write period: "90s"',
  });
  return undefined;
}
