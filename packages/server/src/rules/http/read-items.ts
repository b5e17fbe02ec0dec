import type { Node } from "yaml";
import type { RuleFields } from "../fields.ts";
import { readList } from "../scalars.ts";
import type { RuleSource } from "../source.ts";

/** A field with a list of maps, and how to read one of them. */
type ItemsField<T> = {
  readonly name: string;
  /** The node to name if there are none. */
  readonly place: Node;
  readonly expected: string;
  /** Returns undefined for a wrong item, which it reports. */
  readonly read: (source: RuleSource, node: Node) => T | undefined;
};

/** Reads a list of maps; undefined if it is empty, or has a wrong one, which is reported. */
export function readItems<T>(
  source: RuleSource,
  fields: RuleFields,
  { name, place, expected, read }: ItemsField<T>,
): readonly T[] | undefined {
  const nodes = readList(source, fields, name);
  if (nodes.length === 0) {
    source.complain(place, { code: "bad-action", found: `no ${name}`, expected });
    return undefined;
  }
  const items = nodes.map((node) => read(source, node)).filter((item) => item !== undefined);
  return items.length < nodes.length ? undefined : Object.freeze(items);
}
