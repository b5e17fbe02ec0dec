/** Reads the `http` section of a file into items. */
import type { Node } from "yaml";
import { type RuleFields, readFields } from "../fields.ts";
import { readList } from "../scalars.ts";
import type { RuleSource } from "../source.ts";
import { ITEM_SHAPE } from "./field-table.ts";
import type { HttpItem } from "./items.ts";
import { readActions } from "./read-actions.ts";
import { readMatch } from "./read-match.ts";

/**
 * The maximum number of items of a domain. Each can make a descriptor, and a request has no more.
 */
const MOST_ITEMS = 1000;

/** Reads the items of a file and adds them to those of its domain. */
export function readHttp(source: RuleSource, fields: RuleFields, items: HttpItem[]): void {
  const nodes = readList(source, fields, "http");
  if (items.length + nodes.length > MOST_ITEMS) {
    const found = `${items.length + nodes.length} items of http in a domain`;
    const expected = `at most ${MOST_ITEMS}`;
    const place = fields.get("http")?.name ?? null;
    source.complain(place, { code: "too-many-fields", found, expected });
    return;
  }
  for (const node of nodes) {
    const item = readItem(source, node);
    if (item !== undefined) items.push(item);
  }
}

function readItem(source: RuleSource, node: Node): HttpItem | undefined {
  const fields = readFields(source, node, ITEM_SHAPE);
  if (fields === undefined) return undefined;
  const match = readMatch(source, fields);
  const actions = readActions(source, fields, { match, item: node });
  return Object.freeze({ match, actions, place: Object.freeze(source.placeOf(node)) });
}
