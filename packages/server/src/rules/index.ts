/** Rule files: from YAML texts to rules, and from a request's entries to the rule it meets. */
export { type Entry, type Match, match } from "./match.ts";
export { parseRules } from "./parse-rules.ts";
export { describeProblem, type RuleProblem, RulesError } from "./problem.ts";
export {
  type Branches,
  listRules,
  type PathPart,
  type Rule,
  type Rules,
} from "./rules.ts";
export type { RuleFile } from "./source.ts";
export { unitLasting } from "./units.ts";
export { LONGEST_FILE } from "./yaml-document.ts";
