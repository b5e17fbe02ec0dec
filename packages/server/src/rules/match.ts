import type { Level, Rule, RuleNode } from "./rules.ts";
import { isMatch } from "./wildcard.ts";

/** One key and value of a descriptor in a request. */
export type DescriptorEntry = { readonly key: string; readonly value: string };

/** The rule that a descriptor's entries meet. */
export type Match = {
  readonly rule: Rule;
  /** The budget's key: all values that the rule leaves open. Undefined if it leaves none open. */
  readonly key: string | undefined;
  /** The values that the rule leaves open, in order. */
  readonly open: readonly string[];
};

/**
 * Finds the rule for a descriptor's entries. Pure.
 *
 * Entries are matched in order. At each level the descriptor with the entry's key and value wins,
 * then the first pattern in the file that matches, then the descriptor with the key alone. There is
 * no backtracking. A rule applies only if it is at the end of the path.
 */
export function match(top: Level, entries: readonly DescriptorEntry[]): Match | undefined {
  const open: string[] = [];
  let level: Level | undefined = top;
  let node: RuleNode | undefined;
  for (const entry of entries) {
    node = level && step(level, entry);
    if (node === undefined) return undefined;
    noteOpen(node, entry, open);
    level = node.level;
  }
  const rule = node?.rule;
  return rule && { rule, key: joined(open, open.length), open };
}

/** Returns the descriptor of a level that an entry leads to. Pure. */
export function step(level: Level, { key, value }: DescriptorEntry): RuleNode | undefined {
  const branch = level.branches.get(key);
  const exact = branch?.values.get(value);
  if (exact !== undefined) return exact;
  const found = branch?.patterns?.find(value);
  if (level.keyPatterns.length === 0) return found?.to ?? branch?.any;
  return firstOfKeys(level, { key, value }, found?.order) ?? found?.to ?? branch?.any;
}

/**
 * Joins values into one text, each after its length, so that no two lists give the same text. Pure.
 */
export function joined(values: readonly string[], count: number): string | undefined {
  if (count === 0) return undefined;
  if (count === 1) return `${(values[0] as string).length}:${values[0]}`;
  let text = "";
  for (let index = 0; index < count; index++) {
    const value = values[index] as string;
    text += `${value.length}:${value}`;
  }
  return text;
}

function noteOpen({ part }: RuleNode, { key, value }: DescriptorEntry, open: string[]): void {
  if (part.key.includes("*")) open.push(key);
  if (isOpen(part)) open.push(value);
}

/** Returns how many values a step leaves open. Pure. */
export function opensOf(part: RuleNode["part"]): number {
  return (part.key.includes("*") ? 1 : 0) + (isOpen(part) ? 1 : 0);
}

function isOpen({ value, shares }: RuleNode["part"]): boolean {
  return !shares && (value === undefined || value.includes("*"));
}

/** Descriptors whose key is a pattern are rare, so they are tried one by one. */
function firstOfKeys(
  level: Level,
  entry: DescriptorEntry,
  before = Infinity,
): RuleNode | undefined {
  const found = level.keyPatterns.find(
    ({ key, value, order }) =>
      order < before && isMatch(key, entry.key) && isValue(value, entry.value),
  );
  return found?.to;
}

function isValue(expected: string | readonly string[] | undefined, value: string): boolean {
  if (expected === undefined || typeof expected === "string") return (expected ?? value) === value;
  return isMatch(expected, value);
}
