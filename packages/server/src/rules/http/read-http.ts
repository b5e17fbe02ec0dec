/** Reads the `http` section of a file into items. */
import type { Node } from "yaml";
import { type RuleFields, readFields } from "../fields.ts";
import { readList } from "../scalars.ts";
import type { RuleSource } from "../source.ts";
import { ITEM_SHAPE } from "./field-table.ts";
import type { HttpAction, HttpItem } from "./items.ts";
import { readActions } from "./read-actions.ts";
import { readMatch } from "./read-match.ts";
import { type Providers, readProviders } from "./read-providers.ts";

/**
 * The maximum number of items of a domain. Each can make a descriptor, and each takes time of every
 * request.
 */
const MOST_ITEMS = 1000;

/** The maximum number of texts that are searched in values, for the same reason. */
const MOST_SEARCHED = 100;

/** The maximum number of patterns, each of which is compared with up to 512 characters. */
const MOST_PATTERNS = 30;

/** Reads the items of a file and adds them to those of its domain. */
export function readHttp(source: RuleSource, fields: RuleFields, items: HttpItem[]): void {
  const providers = readProviders(source, fields);
  for (const node of readList(source, fields, "http")) {
    const item = readItem(source, node, providers);
    if (item !== undefined) items.push(item);
  }
  const searched = items.flatMap(({ actions }) => actions.flatMap(searchedTexts)).length;
  const patterns = items.flatMap(({ actions }) => actions.flatMap(patternsIn)).length;
  const place = fields.get("http")?.name ?? null;
  for (const [count, most, what] of [
    [items.length, MOST_ITEMS, "items of http"],
    [searched, MOST_SEARCHED, "texts in contains"],
    [patterns, MOST_PATTERNS, "patterns in safe_regex"],
  ] as const) {
    if (count <= most) continue;
    const found = `${count} ${what} in a domain`;
    source.complain(place, { code: "too-many-fields", found, expected: `at most ${most}` });
  }
}

/** Returns the texts that an action searches in a value. */
function searchedTexts(action: HttpAction): readonly unknown[] {
  if (action.type === "user_agent") return action.classes.flatMap(({ contains }) => contains);
  if (action.type !== "header_value_match") return [];
  return action.headers.filter(({ text }) => text?.how === "contains");
}

function patternsIn(action: HttpAction): readonly unknown[] {
  if (action.type === "user_agent") return action.classes.filter(({ pattern }) => pattern);
  if (action.type !== "header_value_match") return [];
  return action.headers.filter(({ text }) => text?.how === "safe_regex");
}

function readItem(source: RuleSource, node: Node, providers: Providers): HttpItem | undefined {
  const fields = readFields(source, node, ITEM_SHAPE);
  if (fields === undefined) return undefined;
  const match = readMatch(source, fields);
  const actions = readActions(source, fields, { match, item: node, providers });
  return Object.freeze({ match, actions, place: Object.freeze(source.placeOf(node)) });
}
