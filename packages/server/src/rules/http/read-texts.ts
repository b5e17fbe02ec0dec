/** Reads lists of texts. */
import { isScalar } from "yaml";
import type { RuleCode } from "../../error-codes.ts";
import { describeNode } from "../describe-node.ts";
import { fieldValue, type RuleFields } from "../fields.ts";
import { readList, textOf } from "../scalars.ts";
import type { RuleSource } from "../source.ts";

/** A field with a list of texts. */
export type TextsField = {
  readonly name: string;
  readonly code: RuleCode;
  /** The pattern of each text. */
  readonly pattern: RegExp;
  readonly expected: string;
};

/**
 * Reads a list of texts; undefined if it is missing. A list that is empty, or has something else in
 * it, is reported.
 */
export function readTexts(
  source: RuleSource,
  fields: RuleFields,
  { name, code, pattern, expected }: TextsField,
): readonly string[] | undefined {
  const node = fieldValue(fields, name);
  if (node === undefined) return undefined;
  const items = readList(source, fields, name);
  if (items.length === 0) source.complain(node, { code, found: "no texts", expected });
  return Object.freeze(
    items.flatMap((written) => {
      const item = source.resolve(written);
      const text = isScalar(item) ? textOf(item) : undefined;
      if (text !== undefined && pattern.test(text)) return [text];
      source.complain(written, { code, found: describeNode(item), expected });
      return [];
    }),
  );
}
