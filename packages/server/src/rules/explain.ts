/** Explains why a descriptor meets its rule. All functions are pure. */
import { type DescriptorEntry, step } from "./match.ts";
import { partName } from "./rule-name.ts";
import { type Level, nodesOf, type Rule, type RuleNode } from "./rules.ts";
import { isMatch, isWildcard, wildcardOf } from "./wildcard.ts";

/** A descriptor of a rule file that the entry does not match, with the reason. */
export type PassedOver = { readonly name: string; readonly why: string };

/** The outcome of one entry. */
export type ExplainedStep = {
  readonly entry: DescriptorEntry;
  /** The descriptor that the entry leads to; undefined if there is none. */
  readonly taken: string | undefined;
  /** Descriptors with the entry's key that it does not match. */
  readonly passedOver: readonly PassedOver[];
  /** The number of descriptors with other keys. */
  readonly others: number;
};

export type Explanation = {
  readonly steps: readonly ExplainedStep[];
  readonly rule: Rule | undefined;
  /** Why no limit applies; undefined if one does. */
  readonly why: string | undefined;
};

/** Walks the rules as `match` does and records each step. */
export function explain(top: Level, entries: readonly DescriptorEntry[]): Explanation {
  const steps: ExplainedStep[] = [];
  let level = top;
  let node: RuleNode | undefined;
  for (const entry of entries) {
    node = step(level, entry);
    steps.push(explained(level, entry, node));
    if (node === undefined) return { steps, rule: undefined, why: noWay(level, entry) };
    level = node.level;
  }
  const rule = node?.rule;
  return { steps, rule, why: rule === undefined ? noLimit(level) : undefined };
}

function noWay(level: Level, { key }: DescriptorEntry): string {
  if (nodesOf(level).length === 0) return "the request has more entries than the rules have levels";
  return level.branches.has(key)
    ? `no descriptor at this level matches this value of ${key}, and earlier levels are not ` +
        "tried again"
    : `no descriptor at this level has the key ${key}, and earlier levels are not tried again`;
}

function noLimit(level: Level): string {
  if (nodesOf(level).length === 0) return "the descriptor has no rate_limit: the request passes";
  return "the request has no further entry, and this descriptor has no rate_limit";
}

function explained(
  level: Level,
  entry: DescriptorEntry,
  taken: RuleNode | undefined,
): ExplainedStep {
  const nodes = nodesOf(level);
  const related = nodes.filter(({ part }) => isFor({ expected: part.key, text: entry.key }));
  return {
    entry,
    taken: taken && partName(taken.part),
    passedOver: related
      .filter((node) => node !== taken)
      .map((node) => ({ name: partName(node.part), why: whyNot(node, entry, taken) })),
    others: nodes.length - related.length,
  };
}

function whyNot(
  { part }: RuleNode,
  { value }: DescriptorEntry,
  taken: RuleNode | undefined,
): string {
  const expected = part.value ?? "*";
  if (!isFor({ expected, text: value })) {
    return isWildcard(expected) ? "its pattern does not match" : "its value differs";
  }
  if (taken?.part.value === undefined || isWildcard(part.value) || part.value === undefined) {
    const isExact = taken?.part.value !== undefined && !isWildcard(taken.part.value);
    return isExact ? "an exact value takes precedence" : "a matching pattern takes precedence";
  }
  return "another descriptor takes precedence";
}

function isFor({ expected, text }: { readonly expected: string; readonly text: string }): boolean {
  return isWildcard(expected) ? isMatch(wildcardOf(expected), text) : expected === text;
}
