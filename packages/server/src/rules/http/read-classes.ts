/** Reads the `classes` of a `user_agent`. */
import type { Node } from "yaml";
import { type RuleFields, readFields } from "../fields.ts";
import type { RuleSource } from "../source.ts";
import { CLASS_SHAPE } from "./field-table.ts";
import type { UserAgentClass } from "./items.ts";
import { readItems } from "./read-items.ts";
import { readRequired } from "./read-required.ts";
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

function readClass(source: RuleSource, node: Node): UserAgentClass | undefined {
  const fields = readFields(source, node, CLASS_SHAPE);
  if (fields === undefined) return undefined;
  const name = readRequired(source, fields, { name: "name", place: node });
  const contains = readTexts(source, fields, CONTAINS)?.map((text) => text.toLowerCase());
  if (contains === undefined) {
    const expected = CONTAINS.expected;
    source.complain(node, { code: "bad-action", found: "no contains", expected });
  }
  if (name === undefined || contains === undefined) return undefined;
  return Object.freeze({ name, contains: Object.freeze(contains) });
}
