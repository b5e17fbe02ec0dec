/** Reads the `headers` of a `header_value_match`. */
import type { Node } from "yaml";
import { fieldValue, type RuleFields, readFields } from "../fields.ts";
import { readBoolean, readText } from "../scalars.ts";
import type { RuleSource } from "../source.ts";
import { HEADER_SHAPE, STRING_MATCH_SHAPE } from "./field-table.ts";
import type { HeaderMatch, StringMatch } from "./items.ts";
import { readItems } from "./read-items.ts";
import { HEADER_NAME, readName } from "./read-name.ts";

/** Reads the conditions; undefined if there are none, or wrong ones, which is reported. */
export function readHeaderMatches(
  source: RuleSource,
  fields: RuleFields,
  place: Node,
): readonly HeaderMatch[] | undefined {
  const expected = "headers, such as [{ name: x-beta, present_match: true }]";
  return readItems(source, fields, { name: "headers", place, expected, read: readHeaderMatch });
}

function readHeaderMatch(source: RuleSource, node: Node): HeaderMatch | undefined {
  const fields = readFields(source, node, HEADER_SHAPE);
  if (fields === undefined) return undefined;
  const name = headerName(source, fields, node);
  const compared = fieldValue(fields, "string_match");
  const hasPresence = fieldValue(fields, "present_match") !== undefined;
  if ((compared !== undefined) === hasPresence) return complainOfBoth(source, node);
  const text = compared && readStringMatch(source, compared);
  const isPresent = readBoolean(source, fields, "present_match");
  const isInverted = readBoolean(source, fields, "invert_match");
  const isMissingEmpty = readBoolean(source, fields, "treat_missing_header_as_empty");
  if (name === undefined || (compared !== undefined && text === undefined)) return undefined;
  return Object.freeze({ name, text, isPresent, isInverted, isMissingEmpty });
}

function headerName(source: RuleSource, fields: RuleFields, place: Node): string | undefined {
  return readName(source, fields, { name: "name", place, ...HEADER_NAME })?.toLowerCase();
}

function complainOfBoth(source: RuleSource, node: Node): undefined {
  const expected = "either string_match or present_match";
  source.complain(node, { code: "bad-action", found: "both or none of them", expected });
}

const WAYS = ["exact", "prefix", "suffix", "contains"] as const;

function readStringMatch(source: RuleSource, node: Node): StringMatch | undefined {
  const fields = readFields(source, node, STRING_MATCH_SHAPE);
  if (fields === undefined) return undefined;
  const ignoresCase = readBoolean(source, fields, "ignore_case");
  const ways = WAYS.filter((way) => fieldValue(fields, way) !== undefined);
  const [how] = ways;
  const written = how && readText(source, fields, how);
  const isEmpty = written === "" && how !== "exact";
  if (how === undefined || ways.length > 1 || isEmpty) {
    const found = how === undefined || ways.length > 1 ? `${ways.length} texts` : "an empty text";
    const expected = `one text, as ${WAYS.join(", ")}`;
    source.complain(node, { code: "bad-action", found, expected });
    return undefined;
  }
  if (written === undefined) return undefined;
  return Object.freeze({ how, text: ignoresCase ? written.toLowerCase() : written, ignoresCase });
}
