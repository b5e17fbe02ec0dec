import type { Limit, LimitMode } from "spillway";
import type { HttpItem } from "./http/items.ts";
import type { Patterns } from "./patterns.ts";
import type { RuleProblem } from "./problem.ts";
import type { Wildcard } from "./wildcard.ts";

/** One step from a domain to a rule. Without a value it matches any value of its key. */
export type PathPart = {
  readonly key: string;
  readonly value: string | undefined;
  /** Whether all values that match a pattern share one budget. */
  readonly shares: boolean;
};

/** A value of a rule's `metadata`: text, number, boolean, null, list or map. */
export type MetadataValue =
  | string
  | number
  | boolean
  | null
  | readonly MetadataValue[]
  | RuleMetadata;
export type RuleMetadata = { readonly [name: string]: MetadataValue };

/** The request's values that are part of a metric's name. */
export type MetricValues = {
  /** Whether all values are. */
  readonly detailed: boolean;
  /** For each level, whether its value is. */
  readonly levels: readonly boolean[];
};

/** A limit of a rule file, and the path that leads to it. */
export type Rule = {
  /** The limit's name in decisions, such as `auth/auth_type=login/user`. No two rules share one. */
  readonly name: string;
  readonly domain: string;
  readonly path: readonly PathPart[];
  /** The limit's name in the file: `rate_limit.name`. */
  readonly label: string | undefined;
  /** The labels of limits that don't apply to a request that meets this one. */
  readonly replaces: readonly string[];
  readonly limit: Limit | "unlimited";
  /** The limit's definition if its mode is off: then `limit` is "unlimited". */
  readonly switchedOff: Limit | undefined;
  /** The longest random delay added to its waits, in milliseconds; undefined for none. */
  readonly jitter: number | undefined;
  /** Whether the limit decides and counts, but enforces nothing. */
  readonly shadow: boolean;
  /** Whether it is one of several quotas, any of which admits a request. */
  readonly quota: boolean;
  readonly metadata: RuleMetadata | undefined;
  readonly metric: MetricValues;
  /** The limits above that a request takes from as well, the nearest first. */
  readonly parents: readonly Parent[];
  /** The place of the rule in its file. Lines and columns are counted from 1. */
  readonly place: { readonly file: string; readonly line: number; readonly column: number };
};

/** A limit above another one. */
export type Parent = {
  readonly rule: Rule;
  /** How many of the other limit's open values are its own. */
  readonly opens: number;
};

/** A descriptor of a rule file. It has a rule, further levels, or both. */
export type RuleNode = {
  readonly part: PathPart;
  readonly rule: Rule | undefined;
  readonly level: Level;
};

/** The descriptors of one key: by value, by pattern, or for any other value. */
export type Branch = {
  readonly values: ReadonlyMap<string, RuleNode>;
  readonly patterns: Patterns<RuleNode> | undefined;
  readonly any: RuleNode | undefined;
};

/** A descriptor whose key is a pattern. Its value is a text, a pattern or, if undefined, any. */
export type KeyPattern = {
  readonly key: Wildcard;
  readonly value: string | Wildcard | undefined;
  /** The position in its level, as for patterns of values. */
  readonly order: number;
  readonly to: RuleNode;
};

/** One level of descriptors. */
export type Level = {
  readonly branches: ReadonlyMap<string, Branch>;
  readonly keyPatterns: readonly KeyPattern[];
};

/** The rules of some files: the first level of descriptors of each domain. */
export type Rules = {
  readonly domains: ReadonlyMap<string, Level>;
  /** Which descriptors an HTTP request has, by domain. A domain without an item is missing. */
  readonly http: ReadonlyMap<string, readonly HttpItem[]>;
  /** Valid rules that are probably mistakes. */
  readonly warnings: readonly RuleProblem[];
};

/** Returns the mode that a rule has in its file. Pure. */
export function declaredMode({
  switchedOff,
  shadow,
}: Pick<Rule, "switchedOff" | "shadow">): LimitMode {
  if (switchedOff !== undefined) return "off";
  return shadow ? "shadow" : "enforce";
}

/** Lists every rule by domain, parents before children. Pure. */
export function listRules({ domains }: Pick<Rules, "domains">): readonly Rule[] {
  return [...domains.values()].flatMap(rulesBelow);
}

/**
 * Lists the descriptors of a level by key: single values before patterns, and patterns before any
 * value.
 */
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
