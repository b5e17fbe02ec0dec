/** The values of fields: texts, whole numbers, yes and no, lists. */
import { MOST_UNITS } from "spillway/core";
import { isScalar, isSeq, type Node, type Scalar } from "yaml";
import type { RuleCode } from "../error-codes.ts";
import { describeNode } from "./describe-node.ts";
import { type Fields, fieldValue } from "./fields.ts";
import type { Source } from "./source.ts";

/** A number as its file writes it: a text field takes it as it stands. */
const WHOLE = /^[-+]?\d+$|^0[xo][\da-f]+$/i;
/** The one way to write a number that every YAML reads alike; 010 is 8 to some. */
const DECIMAL = /^(0|[1-9]\d*)$/;

/** Whether a field is missing, or says nothing. */
export function isEmpty(fields: Fields, name: string): boolean {
  const node = fieldValue(fields, name);
  return node === undefined || (isScalar(node) && node.value === "");
}

/** A text; undefined where it is missing or, after a complaint, not a text. */
export function readText(source: Source, fields: Fields, name: string): string | undefined {
  const node = fieldValue(fields, name);
  if (node === undefined) return undefined;
  const text = isScalar(node) ? textOf(node) : undefined;
  if (text !== undefined) return text;
  const found = describeNode(node);
  const hint = isScalar(node) ? `Put it in quotes: "${found}"` : undefined;
  source.complain(node, { code: "wrong-type", found, expected: `a text as ${name}`, hint });
  return undefined;
}

/** Whole numbers and booleans are texts too, as they are written: `value: 404`. */
function textOf({ value, source = "" }: Scalar): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return source;
  return typeof value === "number" && WHOLE.test(source) ? source : undefined;
}

/** True or false; false where it is missing or, after a complaint, neither. */
export function readBoolean(source: Source, fields: Fields, name: string): boolean {
  const node = fieldValue(fields, name);
  if (node === undefined) return false;
  if (isScalar(node) && typeof node.value === "boolean") return node.value;
  const expected = `true or false as ${name}`;
  source.complain(node, { code: "wrong-type", found: describeNode(node), expected });
  return false;
}

/** A field that counts units. */
export type UnitsField = {
  readonly name: string;
  readonly code: RuleCode;
  /** What it is where it is missing. */
  readonly otherwise: number | undefined;
  /** The least and the most it may be. Default: from 0 to 10⁹. */
  readonly least?: number;
  readonly most?: number;
  /** What to do instead of writing too large a number. */
  readonly ifMore: string;
};

/** Units; undefined where, after a complaint, they are not a whole number in range. */
export function readUnits(source: Source, fields: Fields, field: UnitsField): number | undefined {
  const node = fieldValue(fields, field.name);
  if (node === undefined) return field.otherwise;
  const { least = 0, most = MOST_UNITS } = field;
  const written = isScalar(node) && typeof node.value === "number" ? (node.source ?? "") : "";
  const units = DECIMAL.test(written) ? Number(written) : undefined;
  if (units !== undefined && units >= least && units <= most) return units;
  const expected = `a whole number from ${least} to ${most} as ${field.name}`;
  const hint = units !== undefined && units > most ? field.ifMore : undefined;
  source.complain(node, { code: field.code, found: describeNode(node), expected, hint });
  return undefined;
}

/** The items of a list; none where it is missing or, after a complaint, not a list. */
export function readList(source: Source, fields: Fields, name: string): readonly Node[] {
  const node = fieldValue(fields, name);
  if (node === undefined) return [];
  if (isSeq<Node>(node)) return source.items(node, node.items);
  const expected = `a list as ${name}`;
  source.complain(node, { code: "wrong-type", found: describeNode(node), expected });
  return [];
}
