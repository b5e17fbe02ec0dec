import type { Limit } from "spillway";
import type { Patterns } from "./patterns.ts";
import type { RuleProblem } from "./problem.ts";
import type { Wildcard } from "./wildcard.ts";

/** One step from a domain to a rule. Without a value it stands for any value of its key. */
export type PathPart = {
  readonly key: string;
  readonly value: string | undefined;
  /** Whether all values of a pattern share one budget. */
  readonly shares: boolean;
};

/** A text, number, boolean, null, list or map of a rule's `metadata`. */
export type MetadataValue = string | number | boolean | null | readonly MetadataValue[] | Metadata;
export type Metadata = { readonly [name: string]: MetadataValue };

/** Which values of a request a rule puts into the name of its metric. */
export type MetricValues = {
  /** All of them. */
  readonly detailed: boolean;
  /** For each level, whether its value is one of them. */
  readonly levels: readonly boolean[];
};

/** A limit of a rule file, and how a request reaches it. */
export type Rule = {
  /** The limit's name in decisions, such as `auth/auth_type=login/user`; no two rules share one. */
  readonly name: string;
  readonly domain: string;
  readonly path: readonly PathPart[];
  /** The limit's name in the file itself: `rate_limit.name`. */
  readonly label: string | undefined;
  /** The labels of limits that don't apply to a request that meets this one. */
  readonly replaces: readonly string[];
  readonly limit: Limit | "unlimited";
  /** The most random milliseconds that are added to its waits; undefined for none. */
  readonly jitter: number | undefined;
  /** Decide and count, and enforce nothing. */
  readonly shadow: boolean;
  /** One of several quotas, of which any lets a request pass. */
  readonly quota: boolean;
  readonly metadata: Metadata | undefined;
  readonly metric: MetricValues;
  /** The limits above that a request takes from as well, from the nearest up. */
  readonly parents: readonly Parent[];
  /** Where it is written. */
  readonly place: { readonly file: string; readonly line: number };
};

/** A limit above another one. */
export type Parent = {
  readonly rule: Rule;
  /** How many of the values that the other one leaves open are its own. */
  readonly opens: number;
};

/** A descriptor of a rule file: perhaps a rule, perhaps more levels. */
export type RuleNode = {
  readonly part: PathPart;
  readonly rule: Rule | undefined;
  readonly level: Level;
};

/** Where an entry leads whose key is known: by its value, by a pattern, or by any other value. */
export type Branch = {
  readonly values: ReadonlyMap<string, RuleNode>;
  readonly patterns: Patterns<RuleNode> | undefined;
  readonly any: RuleNode | undefined;
};

/** A descriptor whose key is a pattern: its value is one text, a pattern or, undefined, any. */
export type KeyPattern = {
  readonly key: Wildcard;
  readonly value: string | Wildcard | undefined;
  /** Where the level has it, as for patterns of values. */
  readonly order: number;
  readonly to: RuleNode;
};

/** One level of descriptors. */
export type Level = {
  readonly branches: ReadonlyMap<string, Branch>;
  readonly keyPatterns: readonly KeyPattern[];
};

/** The rules of some files: by domain, its first level of descriptors. */
export type Rules = {
  readonly domains: ReadonlyMap<string, Level>;
  /** Rules that are allowed, and probably not meant. */
  readonly warnings: readonly RuleProblem[];
};

/** Every rule, domain by domain, parents before children. Pure. */
export function listRules({ domains }: Pick<Rules, "domains">): readonly Rule[] {
  return [...domains.values()].flatMap(rulesBelow);
}

/** The descriptors of a level: by key, those for one value before those for patterns and for any. */
export function nodesOf({ branches, keyPatterns }: Level): readonly RuleNode[] {
  const keyed = [...branches.values()].flatMap(({ values, patterns, any }) => [
    ...values.values(),
    ...(patterns?.all ?? []).map(({ to }) => to),
    ...(any === undefined ? [] : [any]),
  ]);
  return [...keyed, ...keyPatterns.map(({ to }) => to)];
}

function rulesBelow(level: Level): readonly Rule[] {
  return nodesOf(level).flatMap((node) => [
    ...(node.rule === undefined ? [] : [node.rule]),
    ...rulesBelow(node.level),
  ]);
}
