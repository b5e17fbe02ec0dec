/** Reads the fields of a YAML map and reports unknown ones. */
import { display, nearest } from "spillway/support";
import { isMap, isScalar, type Node } from "yaml";
import { describeNode } from "./describe-node.ts";
import { SHAPES } from "./field-table.ts";
import { pairsOf } from "./merge-key.ts";
import type { Shape } from "./shape.ts";
import type { RuleSource } from "./source.ts";

/** A field: the node of its name, and its value. The value is null if the file has none. */
export type RuleField = { readonly name: Node; readonly value: Node | null };
export type RuleFields = ReadonlyMap<string, RuleField>;

/**
 * Returns the known fields of a map by name, and reports all others. Undefined if the node is no
 * map.
 */
export function readFields(
  source: RuleSource,
  node: Node | null,
  shape: Shape,
): RuleFields | undefined {
  const map = source.resolve(node);
  if (!isMap(map)) {
    const expected = `${shape.what}, a map of fields`;
    source.complain(node, { code: "wrong-type", found: describeNode(map), expected });
    return undefined;
  }
  const fields = new Map<string, RuleField>();
  for (const { key, value } of pairsOf(source, map, { isDeep: true })) {
    const name = fieldName(source, key);
    if (name === undefined || !isKnown(source, key, name, shape)) continue;
    const first = fields.get(name);
    if (first === undefined) fields.set(name, { name: key, value: source.resolve(value) });
    else complainOfSecond(source, key, name, first);
  }
  return fields;
}

/** Returns the value of a field; undefined if it is missing or null. */
export function fieldValue(fields: RuleFields, name: string): Node | undefined {
  const value = fields.get(name)?.value ?? undefined;
  return isScalar(value) && value.value === null ? undefined : value;
}

function fieldName(source: RuleSource, node: Node): string | undefined {
  if (isScalar(node) && typeof node.value === "string") return node.value;
  const expected = "the name of a field, which is text";
  source.complain(node, { code: "bad-field-name", found: describeNode(node), expected });
  return undefined;
}

function isKnown(source: RuleSource, node: Node, name: string, { what, fields }: Shape): boolean {
  if (Object.hasOwn(fields, name)) return true;
  const known = Object.keys(fields);
  source.complain(node, {
    code: "unknown-field",
    found: display(name),
    expected: `only ${known.join(", ")} in ${what}`,
    hint: HINTS.get(name) ?? whereElse(name) ?? didYouMean(name, known),
  });
  return false;
}

const REGEX = "Write string_match: { safe_regex: { regex: … } }, in headers of header_value_match";

/** Unknown names that are often tried, with what to write instead. */
const HINTS: ReadonlyMap<string, string> = new Map([
  [
    "rules",
    "A file begins with domain: shop and descriptors: [{ key: user, rate_limit: { unit: " +
      "minute, requests_per_unit: 5 } }]",
  ],
  [
    "priority",
    "The service does not shed load: use spillway/shedding, which has priorities, in the program " +
      "to protect",
  ],
  ["safe_regex_match", REGEX],
  ...["exact", "prefix", "suffix", "contains"].map((how): readonly [string, string] => [
    `${how}_match`,
    `Write string_match: { ${how}: … }`,
  ]),
]);

/** Says where a misplaced field belongs. */
function whereElse(name: string): string | undefined {
  const shape = SHAPES.find(({ fields }) => Object.hasOwn(fields, name));
  return shape && `${name} belongs in ${shape.what}`;
}

/** Suggests a known word that is similar; undefined if none is. Pure. */
export function didYouMean(written: string, known: Iterable<string>): string | undefined {
  const near = nearest(written, known);
  return near && `Did you mean ${near}?`;
}

function complainOfSecond(source: RuleSource, node: Node, name: string, first: RuleField): void {
  const found = `a second ${name}`;
  const expected = `only the one in line ${source.lineOf(first.name)}`;
  source.complain(node, { code: "duplicate-field", found, expected });
}
