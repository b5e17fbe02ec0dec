/** Reads the values of fields: texts, whole numbers, booleans, lists. */
import { MOST_UNITS } from "spillway/support";
import { isScalar, isSeq, type Node, type Scalar } from "yaml";
import type { RuleCode } from "../error-codes.ts";
import { describeNode } from "./describe-node.ts";
import { fieldValue, type RuleFields } from "./fields.ts";
import { booleanOf, isAmbiguous, wholeOf } from "./plain-scalars.ts";
import type { RuleSource } from "./source.ts";

/** A whole number in the notation of a file. A text field keeps that notation. */
const WHOLE = /^[-+]?\d+$|^0[xo][\da-f]+$/i;

/** Whether a field is missing or has no value. */
export function isEmpty(fields: RuleFields, name: string): boolean {
  const node = fieldValue(fields, name);
  return node === undefined || (isScalar(node) && node.value === "");
}

/** Reads a text; undefined if it is missing, or not a text, which is reported. */
export function readText(source: RuleSource, fields: RuleFields, name: string): string | undefined {
  const node = fieldValue(fields, name);
  if (node === undefined) return undefined;
  const text = isScalar(node) ? textOf(node) : undefined;
  if (text !== undefined) return text;
  const found = describeNode(node);
  const hint = isScalar(node) ? `Put it in quotes: "${found}"` : undefined;
  source.complain(node, { code: "wrong-type", found, expected: `a text as ${name}`, hint });
  return undefined;
}

/** Whole numbers and booleans are texts too, in their notation: `value: 404`. */
export function textOf({ value, source = "" }: Scalar): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return source;
  return typeof value === "number" && WHOLE.test(source) ? source : undefined;
}

/** Reads a boolean; false if it is missing, or neither true nor false, which is reported. */
export function readBoolean(source: RuleSource, fields: RuleFields, name: string): boolean {
  const node = fieldValue(fields, name);
  if (node === undefined) return false;
  const value = isScalar(node) ? booleanOf(node) : undefined;
  if (value !== undefined) return value;
  const expected = `true or false as ${name}`;
  source.complain(node, { code: "wrong-type", found: describeNode(node), expected });
  return false;
}

/** A field that counts units. */
export type UnitsField = {
  readonly name: string;
  readonly code: RuleCode;
  /** The default. */
  readonly otherwise: number | undefined;
  /** The smallest and the largest value. Default: 0 to 10⁹. */
  readonly least?: number;
  readonly most?: number;
  /** The remedy for a number that is too large. */
  readonly ifMore: string;
};

/** Reads units; undefined if they are not a whole number in the range, which is reported. */
export function readUnits(
  source: RuleSource,
  fields: RuleFields,
  field: UnitsField,
): number | undefined {
  const node = fieldValue(fields, field.name);
  if (node === undefined) return field.otherwise;
  const { least = 0, most = MOST_UNITS } = field;
  const units = isScalar(node) ? wholeOf(node) : undefined;
  if (units !== undefined && units >= least && units <= most) return units;
  const expected = `a whole number from ${least} to ${most} as ${field.name}`;
  const isBase8 = isScalar(node) && isAmbiguous(node) ? BASE_8 : undefined;
  const hint = units !== undefined && units > most ? field.ifMore : isBase8;
  source.complain(node, { code: field.code, found: describeNode(node), expected, hint });
  return undefined;
}

const BASE_8 = "Leave out the leading 0: some parsers read it as octal";

/** Reads the items of a list; empty if it is missing, or not a list, which is reported. */
export function readList(source: RuleSource, fields: RuleFields, name: string): readonly Node[] {
  const node = fieldValue(fields, name);
  if (node === undefined) return [];
  if (isSeq<Node>(node)) return source.items(node, node.items);
  const expected = `a list as ${name}`;
  source.complain(node, { code: "wrong-type", found: describeNode(node), expected });
  return [];
}
