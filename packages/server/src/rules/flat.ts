/**
 * Converts rules to plain data and back, node by node, so that one thread can read files for
 * another.
 */
import type { HttpItem } from "./http/items.ts";
import { LevelBuilder, NO_LEVEL } from "./level-builder.ts";
import type { RuleProblem } from "./problem.ts";
import type { Level, Parent, PathPart, Rule, RuleNode, Rules } from "./rules.ts";

/** A rule whose parents are given by their depth. */
export type FlatRule = Omit<Rule, "parents"> & {
  readonly parents: readonly { readonly depth: number; readonly opens: number }[];
};

/** A descriptor. It comes after the descriptor that contains it. */
export type FlatNode = {
  readonly domain: string;
  /** The number of descriptors that contain it. */
  readonly depth: number;
  readonly part: PathPart;
  readonly rule: FlatRule | undefined;
  /** The position in its level, which decides between patterns. */
  readonly order: number;
};

/** Yields all descriptors of some rules, each after the one that contains it. */
export function* flatten({ domains }: Rules): Generator<FlatNode> {
  for (const [domain, level] of domains) yield* flattenLevel(level, { domain, depth: 0 });
}

type NodePosition = { readonly domain: string; readonly depth: number };

function* flattenLevel(level: Level, place: NodePosition): Generator<FlatNode> {
  for (const { node, order } of ordered(level)) {
    const { part, rule } = node;
    yield { ...place, part, rule: rule && flatRule(rule), order };
    yield* flattenLevel(node.level, { domain: place.domain, depth: place.depth + 1 });
  }
}

function* ordered({ branches, keyPatterns }: Level): Generator<{ node: RuleNode; order: number }> {
  for (const { values, patterns, any } of branches.values()) {
    for (const node of values.values()) yield { node, order: 0 };
    for (const { to, order } of patterns?.all ?? []) yield { node: to, order };
    if (any !== undefined) yield { node: any, order: 0 };
  }
  for (const { to, order } of keyPatterns) yield { node: to, order };
}

function flatRule({ parents, ...rule }: Rule): FlatRule {
  return {
    ...rule,
    parents: parents.map((parent) => ({
      depth: parent.rule.path.length - 1,
      opens: parent.opens,
    })),
  };
}

type Open = { readonly rule: Rule | undefined; readonly below: LevelBuilder };

/** A descriptor kept back until it is known whether it contains others. */
type PendingNode = { readonly flat: FlatNode; readonly rule: Rule | undefined };

/** Rebuilds rules from flat descriptors, any number at a time. */
export class Rebuilder {
  readonly #domains = new Map<string, LevelBuilder>();
  readonly #http = new Map<string, readonly HttpItem[]>();
  /** The descriptors that may contain the next one. */
  readonly #open: Open[] = [];
  #held: PendingNode | undefined;

  /** Adds a domain, which may have no descriptors, with the items of its `http` section. */
  addDomain(domain: string, items: readonly HttpItem[] = []): void {
    this.#domains.set(domain, new LevelBuilder());
    if (items.length > 0) this.#http.set(domain, items);
  }

  /** Adds a descriptor. @returns its rule, if it has one */
  add(flat: FlatNode): Rule | undefined {
    this.#place(flat.depth);
    const rule = flat.rule && this.#rule(flat.rule);
    this.#held = { flat, rule };
    return rule;
  }

  /** Returns the rules after all descriptors are added. */
  done(warnings: readonly RuleProblem[]): Rules {
    this.#place(0);
    const levels = [...this.#domains].map(([domain, { level }]) => [domain, level] as const);
    return Object.freeze({ domains: new Map(levels), http: this.#http, warnings });
  }

  /** Adds the descriptors kept back to their levels, down to the depth of the next one. */
  #place(nextDepth: number): void {
    if (this.#held === undefined) return;
    const { flat, rule } = this.#held;
    const { domain, depth, part, order } = flat;
    this.#held = undefined;
    this.#open.length = depth;
    const builder = this.#open[depth - 1]?.below ?? this.#domains.get(domain);
    const below = nextDepth > depth ? new LevelBuilder() : undefined;
    builder?.add(Object.freeze({ part, rule, level: below?.level ?? NO_LEVEL }), order);
    if (below !== undefined) this.#open.push({ rule, below });
  }

  #rule({ parents, ...rule }: FlatRule): Rule {
    const above = parents.map(({ depth, opens }): Parent => {
      return { rule: this.#open[depth]?.rule as Rule, opens };
    });
    return Object.freeze({ ...rule, parents: above });
  }
}
