import { isScalar, type Node } from "yaml";
import { fieldValue, type RuleFields } from "../fields.ts";
import { isEmpty, readText } from "../scalars.ts";
import type { RuleSource } from "../source.ts";

/** A field that must have a text, and the map that needs it. */
export type RequiredField = { readonly name: string; readonly place: Node };

/** Reads a text; undefined if it is missing, empty or none, which is reported. */
export function readRequired(
  source: RuleSource,
  fields: RuleFields,
  { name, place }: RequiredField,
): string | undefined {
  if (!isEmpty(fields, name)) return readText(source, fields, name);
  const node = fieldValue(fields, name);
  const found = isScalar(node) ? `an empty ${name}` : `no ${name}`;
  source.complain(node ?? place, { code: "bad-action", found, expected: `a text as ${name}` });
  return undefined;
}
