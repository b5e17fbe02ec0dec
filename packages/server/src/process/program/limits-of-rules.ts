/** Makes limits of rules, for programs that take from them by name. All functions are pure. */
import type { Limit, Limits } from "spillway";
import { display } from "spillway/support";
import {
  declaredMode,
  type HttpItem,
  listRules,
  type Rule,
  type RuleProblem,
  type Rules,
  RulesError,
} from "../../rules/index.ts";

/** The maximum number of mistakes that are described. Further ones are only counted. */
const MOST_SHOWN = 100;

/** The limits of some rules, by the names under which programs take from them. */
export type ProgramLimits = {
  readonly limits: Limits;
  /** The rule of each limit. */
  readonly rules: ReadonlyMap<string, Rule>;
};

/**
 * Returns the limits of rules. A limit's name is that of its `rate_limit`, else the rule's.
 *
 * @throws RulesError for two limits of one name, and for everything that a program would have to
 * do itself, such as matching patterns or classifying requests.
 */
export function programLimits(
  all: readonly Rule[],
  items: readonly HttpItem[] = [],
): ProgramLimits {
  const problems: RuleProblem[] = items.slice(0, 1).map((item) => complaint(item, CLASSIFYING));
  const rules = new Map<string, Rule>();
  for (const rule of all) {
    const name = rule.label ?? rule.name;
    const first = rules.get(name);
    if (first !== undefined) problems.push(complaint(rule, second(name, first)));
    else rules.set(name, rule);
    problems.push(...unusable(rule));
  }
  throwIfAny(problems);
  return { limits: Object.fromEntries([...rules].map(definition)), rules };
}

/** Returns the rules of one domain; of all without one. Undefined if there is no such domain. */
export function rulesOfDomain(
  { domains }: Rules,
  domain: string | undefined,
): readonly Rule[] | undefined {
  if (domain === undefined) return listRules({ domains });
  const level = domains.get(domain);
  return level && listRules({ domains: new Map([[domain, level]]) });
}

/** Returns the items of the `http` sections of one domain; of all without one. */
export function itemsOfDomain({ http }: Rules, domain: string | undefined): readonly HttpItem[] {
  return domain === undefined ? [...http.values()].flat() : (http.get(domain) ?? []);
}

/**
 * Checks that limits keep their kinds, since programs choose their calls by them.
 *
 * @throws RulesError for a limit whose kind has changed.
 */
export function checkKinds(before: Limits, { limits, rules }: ProgramLimits): void {
  const problems = [...rules].flatMap(([name, rule]) => {
    const known = Object.hasOwn(before, name) ? before[name]?.kind : undefined;
    if (known === undefined || known === limits[name]?.kind) return [];
    return complaint(rule, {
      code: "changed-kind",
      found: `the kind ${limits[name]?.kind} of ${display(name)}`,
      expected: `${known}, as before`,
      hint: "Give it another name, or remove it first: programs choose their calls by the kind",
    });
  });
  throwIfAny(problems);
}

function definition([name, rule]: readonly [string, Rule]): readonly [string, Limit] {
  const limit = (rule.switchedOff ?? rule.limit) as Limit;
  const mode = declaredMode(rule);
  return [name, mode === "enforce" ? limit : Object.freeze({ ...limit, mode })];
}

type Complaint = Pick<RuleProblem, "code" | "found" | "expected" | "hint">;

function complaint({ place }: Pick<Rule, "place">, said: Complaint): RuleProblem {
  return { ...place, ...said };
}

const ELSEWHERE = "For rules of the service alone, use another domain";

const CLASSIFYING: Complaint = {
  code: "not-for-programs",
  found: "an http section",
  expected: "only descriptors: a program takes from limits by name",
  hint: ELSEWHERE,
};

function second(name: string, { place }: Rule): Complaint {
  return {
    code: "duplicate-name",
    found: `a second limit ${display(name)}`,
    expected: `only the one in line ${place.line} of ${display(place.file)}`,
    hint: "Programs take from limits by name",
  };
}

/** A part of a rule without meaning, or with another one, for a limit that is taken by name. */
type Unusable = {
  readonly found: string;
  readonly isIn: (rule: Rule) => boolean;
  readonly hint: string;
};

const UNUSABLE: readonly Unusable[] = [
  {
    found: "a pattern with *",
    isIn: ({ path }) => path.some(({ key, value = "" }) => `${key}${value}`.includes("*")),
    hint: "Programs match no values: leave out the value, or write a descriptor for each",
  },
  {
    found: "unlimited",
    isIn: ({ limit, switchedOff }) => limit === "unlimited" && switchedOff === undefined,
    hint: "Write a limit with mode: off",
  },
  {
    found: "quota_mode",
    isIn: ({ quota }) => quota,
    hint: "A call of a program is refused if any of its limits refuses",
  },
  {
    found: "jitter",
    isIn: ({ jitter }) => jitter !== undefined,
    hint: "Pass jitter with the call",
  },
  {
    found: "replaces",
    isIn: ({ replaces }) => replaces.length > 0,
    hint: "The program chooses which limit it takes from",
  },
  {
    found: "also: parent",
    isIn: ({ parents }) => parents.length > 0,
    hint: "Take from both limits with limitAll",
  },
];

function unusable(rule: Rule): readonly RuleProblem[] {
  return UNUSABLE.filter(({ isIn }) => isIn(rule)).map(({ found, hint }) =>
    complaint(rule, {
      code: "not-for-programs",
      found: `${found} in the limit ${display(rule.label ?? rule.name)}`,
      expected: "a limit that programs take from by its name",
      hint: `${hint}. ${ELSEWHERE}`,
    }),
  );
}

/** @throws RulesError */
function throwIfAny(problems: readonly RuleProblem[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, MOST_SHOWN);
  throw new RulesError(shown, problems.length - shown.length);
}
