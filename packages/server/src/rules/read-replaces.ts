/** Reads `replaces`: the names of limits that don't apply to a request that meets this one. */
import { display } from "spillway/support";
import { REPLACES_SHAPE } from "./field-table.ts";
import { fieldValue, type RuleFields, readFields } from "./fields.ts";
import { readList, readText } from "./scalars.ts";
import type { RuleSource } from "./source.ts";

export function readReplaces(
  source: RuleSource,
  fields: RuleFields,
  own: string | undefined,
): readonly string[] {
  const names: string[] = [];
  for (const item of readList(source, fields, "replaces")) {
    const inner = readFields(source, item, REPLACES_SHAPE);
    if (inner === undefined) continue;
    const name = readText(source, inner, "name") ?? "";
    const found = name === "" ? "no name" : name === own ? `the limit's own ${display(name)}` : "";
    if (found === "") names.push(name);
    else {
      const place = fieldValue(inner, "name") ?? item;
      const expected = "the name of another limit in each item of replaces";
      source.complain(place, { code: "bad-replaces", found, expected });
    }
  }
  return Object.freeze(names);
}
