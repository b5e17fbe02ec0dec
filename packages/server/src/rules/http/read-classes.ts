/** Reads the `classes` of a `user_agent`. */
import type { Node } from "yaml";
import { fieldValue, type RuleFields, readFields } from "../fields.ts";
import type { RuleSource } from "../source.ts";
import { CLASS_SHAPE } from "./field-table.ts";
import type { UserAgentClass } from "./items.ts";
import { readItems } from "./read-items.ts";
import { readRequired } from "./read-required.ts";
import { readPattern } from "./read-string-match.ts";
import { readTexts } from "./read-texts.ts";

/** Reads the classes; undefined if there are none, or wrong ones, which is reported. */
export function readClasses(
  source: RuleSource,
  fields: RuleFields,
  place: Node,
): readonly UserAgentClass[] | undefined {
  const expected = "classes, such as [{ name: bot, contains: [bot, spider] }]";
  return readItems(source, fields, { name: "classes", place, expected, read: readClass });
}

const CONTAINS = {
  name: "contains",
  code: "bad-action",
  pattern: /./su,
  expected: "texts that are not empty, such as [bot, spider]",
} as const;

const ONE = `either safe_regex, or contains with ${CONTAINS.expected}`;

function readClass(source: RuleSource, node: Node): UserAgentClass | undefined {
  const fields = readFields(source, node, CLASS_SHAPE);
  if (fields === undefined) return undefined;
  const name = readRequired(source, fields, { name: "name", place: node });
  const hasPattern = fieldValue(fields, "safe_regex") !== undefined;
  const pattern = hasPattern ? readPattern(source, fields, true) : undefined;
  const contains = readTexts(source, fields, CONTAINS)?.map((text) => text.toLowerCase());
  if ((contains === undefined) !== hasPattern) {
    const found = hasPattern ? "contains beside safe_regex" : "no contains";
    source.complain(node, { code: "bad-action", found, expected: ONE });
  }
  if (name === undefined || (contains ?? pattern) === undefined) return undefined;
  return Object.freeze({ name, contains: Object.freeze(contains ?? []), pattern });
}
