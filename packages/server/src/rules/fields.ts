/** The fields of a YAML map: which are known, which are not yet, which are mistakes. */
import { display, nearest } from "spillway/core";
import { isMap, isScalar, type Node, type Pair, type YAMLMap } from "yaml";
import { describeNode } from "./scalars.ts";
import type { Source } from "./source.ts";

/** What a map is called in messages, and the fields it may have. */
export type Shape = {
  readonly what: string;
  readonly known: readonly string[];
  /** Fields that envoyproxy/ratelimit has and this service has not. */
  readonly later: readonly string[];
};

/** A field, its name's place and its value; the value is null where none was written. */
export type Field = { readonly name: Node; readonly value: Node | null };
export type Fields = ReadonlyMap<string, Field>;

/** The known fields of a map, by name; undefined where it is not a map. Complains of all others. */
export function readFields(source: Source, node: Node | null, shape: Shape): Fields | undefined {
  const map = source.resolve(node);
  if (!isMap(map)) {
    const found = describeNode(map);
    source.complain(node, { code: "wrong-type", found, expected: `${shape.what}: a map of fields` });
    return undefined;
  }
  const fields = ownFields(source, map);
  for (const [name, field] of fields) if (!shape.known.includes(name)) refuse(source, name, field, shape);
  return fields;
}

/** Fields written in the map itself, then those that it merges in with `<<`. */
function ownFields(source: Source, map: YAMLMap): Fields {
  const fields = new Map<string, Field>();
  const merged: Fields[] = [];
  for (const pair of source.items(map, map.items as readonly Pair<Node, Node | null>[])) {
    const name = fieldName(source, pair.key);
    if (name === undefined) continue;
    const field = { name: pair.key, value: source.resolve(pair.value) };
    if (name === MERGE) merged.push(...mergedFields(source, field));
    else if (fields.has(name)) complainOfSecond(source, name, field, fields.get(name) as Field);
    else fields.set(name, field);
  }
  for (const [name, field] of merged.flatMap((each) => [...each]))
    if (!fields.has(name)) fields.set(name, field);
  return fields;
}
