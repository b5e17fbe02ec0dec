import type { Rate } from "spillway";

/** One step from a domain to a rule. Without a value it stands for any value of its key. */
export type PathPart = { readonly key: string; readonly value: string | undefined };

/** A limit of a rule file, and how a request reaches it. */
export type Rule = {
  /** The limit's name in decisions, such as `auth/auth_type=login/user`; no two rules share one. */
  readonly name: string;
  readonly domain: string;
  readonly path: readonly PathPart[];
  /** What the file itself calls the limit: `rate_limit.name`. */
  readonly label: string | undefined;
  readonly limit: Rate | "unlimited";
};

/** A descriptor of a rule file: perhaps a rule, perhaps more levels. */
export type RuleNode = { readonly rule: Rule | undefined; readonly branches: Branches };

/** Where an entry leads whose key is known: by its value, or by any other value. */
export type Branch = {
  readonly values: ReadonlyMap<string, RuleNode>;
  readonly any: RuleNode | undefined;
};

/** One level of descriptors, by key. */
export type Branches = ReadonlyMap<string, Branch>;

/** What rule files say: by domain, its first level of descriptors. */
export type Rules = { readonly domains: ReadonlyMap<string, Branches> };

/** Every rule, domain by domain, parents before children. Pure. */
export function listRules({ domains }: Rules): readonly Rule[] {
  return [...domains.values()].flatMap(rulesBelow);
}

function rulesBelow(branches: Branches): readonly Rule[] {
  return [...branches.values()].flatMap(({ values, any }) =>
    [...values.values(), ...(any === undefined ? [] : [any])].flatMap((node) => [
      ...(node.rule === undefined ? [] : [node.rule]),
      ...rulesBelow(node.branches),
    ]),
  );
}
