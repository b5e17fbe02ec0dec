/** Reads the `headers` of a `header_value_match`. */
import type { Node } from "yaml";
import { fieldValue, type RuleFields, readFields } from "../fields.ts";
import { readBoolean } from "../scalars.ts";
import type { RuleSource } from "../source.ts";
import { HEADER_SHAPE } from "./field-table.ts";
import type { HeaderMatch } from "./items.ts";
import { readItems } from "./read-items.ts";
import { HEADER_NAME, readName } from "./read-name.ts";
import { readStringMatch } from "./read-string-match.ts";

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
