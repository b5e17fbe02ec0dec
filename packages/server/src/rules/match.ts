import type { Branches, Rule, RuleNode } from "./rules.ts";

/** One key and value of a request's descriptor, at run time. */
export type Entry = { readonly key: string; readonly value: string };

/** The rule that a request's entries lead to. */
export type Match = {
  readonly rule: Rule;
  /** Whose budget: what the rule leaves open; undefined where it leaves nothing open. */
  readonly key: string | undefined;
};

/**
 * Finds the rule for a descriptor's entries. Pure.
 *
 * Entries are walked in order. At each level the descriptor with the entry's key and value is
 * taken, or else the one with the key alone; there is no way back. A rule counts only where the
 * walk ends.
 */
export function match(branches: Branches, entries: readonly Entry[]): Match | undefined {
  const open: string[] = [];
  let node: RuleNode | undefined;
  for (const { key, value } of entries) {
    const branch = (node?.branches ?? branches).get(key);
    const exact = branch?.values.get(value);
    if (exact === undefined) open.push(value);
    node = exact ?? branch?.any;
    if (node === undefined) return undefined;
  }
  return node?.rule && { rule: node.rule, key: joined(open) };
}

/** Several values as one text, each after its length, so that no two lists become one. */
function joined(values: readonly string[]): string | undefined {
  if (values.length === 0) return undefined;
  return values.map((value) => `${value.length}:${value}`).join("");
}
