/** Reads a `string_match`: how a value must be. */
import { display } from "spillway/support";
import type { Node } from "yaml";
import { fieldValue, type RuleFields, readFields } from "../fields.ts";
import { readBoolean, readText } from "../scalars.ts";
import type { RuleSource } from "../source.ts";
import { automatonOf, MOST_STATES } from "./automaton.ts";
import { SAFE_REGEX_SHAPE, STRING_MATCH_SHAPE } from "./field-table.ts";
import type { StringMatch } from "./items.ts";
import { readRequired } from "./read-required.ts";

const WAYS = ["exact", "prefix", "suffix", "contains", "safe_regex"] as const;

/** Reads the one way in which a value is compared; undefined if it is wrong, which is reported. */
export function readStringMatch(source: RuleSource, node: Node): StringMatch | undefined {
  const fields = readFields(source, node, STRING_MATCH_SHAPE);
  if (fields === undefined) return undefined;
  const ignoresCase = readBoolean(source, fields, "ignore_case");
  const ways = WAYS.filter((way) => fieldValue(fields, way) !== undefined);
  const [how] = ways;
  if (how === undefined || ways.length > 1) {
    return complainOf(source, node, `${ways.length} texts`);
  }
  if (how === "safe_regex") return readPattern(source, fields, ignoresCase);
  const text = readText(source, fields, how);
  if (text === "" && how !== "exact") return complainOf(source, node, "an empty text");
  if (text === undefined) return undefined;
  return Object.freeze({ how, text: ignoresCase ? text.toLowerCase() : text, ignoresCase });
}

function complainOf(source: RuleSource, node: Node, found: string): undefined {
  const expected = `one text, as ${WAYS.join(", ")}`;
  source.complain(node, { code: "bad-action", found, expected });
}

/** The longest pattern: making its automaton takes time when files are read. */
const LONGEST = 500;

/** Reads a `safe_regex`; undefined if it is wrong, which is reported. */
export function readPattern(
  source: RuleSource,
  fields: RuleFields,
  ignoresCase: boolean,
): StringMatch | undefined {
  const place = fieldValue(fields, "safe_regex") as Node;
  const inner = readFields(source, place, SAFE_REGEX_SHAPE);
  const text = inner && readRequired(source, inner, { name: "regex", place });
  if (inner === undefined || text === undefined) return undefined;
  try {
    if (text.length > LONGEST) throw new Error(`it has over ${LONGEST} characters`);
    const automaton = automatonOf(text, { ignoresCase });
    return Object.freeze({ how: "safe_regex", text, ignoresCase, automaton });
  } catch (error) {
    const found = `the pattern ${display(text)} (${(error as Error).message})`;
    source.complain(fieldValue(inner, "regex") ?? place, { code: "bad-action", found, ...SUBSET });
    return undefined;
  }
}

const SUBSET = {
  expected:
    "a pattern of the whole value, without ^, $, \\b, lookarounds and backreferences, of at most " +
    `${MOST_STATES} states`,
  hint: "Write .* where anything may stand, and fewer repetitions such as {0,40} after a .*",
} as const;
