/** Reads `also: parent`: the limits above that a request takes from as well. */
import { ALSO } from "./field-table.ts";
import { fieldValue, type RuleFields } from "./fields.ts";
import { readWord } from "./read-pace.ts";
import type { Parent } from "./rules.ts";
import type { RuleSource } from "./source.ts";

/**
 * Returns the limits above, the nearest first; an empty list if the field is missing or there are
 * none.
 */
export function readParents(
  source: RuleSource,
  fields: RuleFields,
  above: Parent | undefined,
): readonly Parent[] {
  if (fieldValue(fields, "also") === undefined) return [];
  const also = readWord(source, fields, { name: "also", code: "bad-also", words: ALSO });
  if (also === undefined) return [];
  if (above !== undefined) return Object.freeze([above, ...above.rule.parents]);
  source.complain(fields.get("also")?.name ?? null, {
    code: "bad-also",
    found: "also: parent",
    expected: "a rate_limit in a descriptor above this one",
  });
  return [];
}
