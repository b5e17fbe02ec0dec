/** A list of descriptors, and the lists inside them: the tree that requests walk. */
import { printable } from "spillway/core";
import type { Node } from "yaml";
import { describeNode } from "./describe-node.ts";
import { type Fields, fieldValue, readFields, type Shape } from "./fields.ts";
import { readRateLimit } from "./read-rate-limit.ts";
import { partName } from "./rule-name.ts";
import type { Branches, PathPart, Rule, RuleNode } from "./rules.ts";
import { isEmpty, readList, readText } from "./scalars.ts";
import type { Source } from "./source.ts";

const SHAPE: Shape = {
  what: "a descriptor",
  known: ["key", "value", "rate_limit", "descriptors"],
  later: [
    "shadow_mode",
    "quota_mode",
    "detailed_metric",
    "value_to_metric",
    "share_threshold",
    "metadata",
  ],
};

/** How deep descriptors may be nested. */
const MOST_LEVELS = 16;

/** Where a list of descriptors hangs; `name` is the start of the names of all limits in it. */
export type Position = {
  readonly domain: string;
  readonly path: readonly PathPart[];
  readonly name: string;
};

type Draft = { readonly values: Map<string, RuleNode>; any: RuleNode | undefined };

/** A level that is being read. */
type Level = {
  readonly branches: Map<string, Draft>;
  /** The line of each descriptor, by its name. */
  readonly lines: Map<string, number>;
  readonly position: Position;
};

/** Reads the `descriptors` of a file, or of a descriptor. */
export function readDescriptors(source: Source, fields: Fields, position: Position): Branches {
  const level: Level = { branches: new Map(), lines: new Map(), position };
  if (position.path.length < MOST_LEVELS) {
    for (const item of readList(source, fields, "descriptors")) readDescriptor(source, item, level);
  } else if (fieldValue(fields, "descriptors") !== undefined) {
    const found = `${MOST_LEVELS + 1} levels of descriptors`;
    const place = fields.get("descriptors")?.name ?? null;
    source.complain(place, { code: "too-deep", found, expected: `at most ${MOST_LEVELS}` });
  }
  for (const branch of level.branches.values()) Object.freeze(branch);
  return level.branches;
}

function readDescriptor(source: Source, item: Node, { branches, lines, position }: Level): void {
  const fields = readFields(source, item, SHAPE);
  if (fields === undefined) return;
  const part = readPart(source, fields, item);
  const { key, value = "" } = part;
  if (!source.admitsName(item, position.name.length + key.length + value.length)) return;
  const id = partName(part);
  const here = {
    domain: position.domain,
    path: [...position.path, part],
    name: `${position.name}/${id}`,
  };
  const node = Object.freeze({
    rule: readRule(source, fields, here),
    branches: readDescriptors(source, fields, here),
  });
  if (key !== "" && !isFirst(source, { item, lines }, id)) return;
  const branch: Draft = branches.get(part.key) ?? { values: new Map(), any: undefined };
  if (part.value === undefined) branch.any = node;
  else branch.values.set(part.value, node);
  branches.set(part.key, branch);
}

function readPart(source: Source, fields: Fields, item: Node): PathPart {
  const key = readText(source, fields, "key") ?? "";
  const value = readText(source, fields, "value") || undefined;
  if (isEmpty(fields, "key")) {
    const place = fields.get("key")?.name ?? item;
    source.complain(place, { code: "empty-key", found: "no key", expected: "one, such as user" });
  }
  if (key.includes("*")) refuseWildcard(source, fields, "key");
  if (value?.includes("*")) refuseWildcard(source, fields, "value");
  return Object.freeze({ key, value });
}

function refuseWildcard(source: Source, fields: Fields, name: string): void {
  const node = fieldValue(fields, name) ?? null;
  source.complain(node, {
    code: "not-supported-yet",
    found: describeNode(node),
    expected: `a ${name} without *`,
    hint: "Wildcards are not supported yet; a descriptor without a value matches every value",
  });
}

function readRule(source: Source, fields: Fields, here: Position): Rule | undefined {
  const field = fields.get("rate_limit");
  if (field === undefined || fieldValue(fields, "rate_limit") === undefined) return undefined;
  const { name, domain, path } = here;
  const read = readRateLimit(source, field, name);
  return read && Object.freeze({ name, domain, path: Object.freeze(path), ...read });
}

/** Whether no descriptor of this level has the key and value already; complains if one has. */
function isFirst(
  source: Source,
  { item, lines }: { readonly item: Node; readonly lines: Map<string, number> },
  id: string,
): boolean {
  const first = lines.get(id);
  if (first === undefined) {
    lines.set(id, source.lineOf(item));
    return true;
  }
  source.complain(item, {
    code: "duplicate-descriptor",
    found: `a second descriptor for ${printable(id)}`,
    expected: `only the one in line ${first}`,
  });
  return false;
}
