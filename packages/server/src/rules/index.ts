/** Rule files: reads YAML into rules, and finds the rule that a request's entries meet. */
export { descriptorName } from "./descriptor-name.ts";
export { type ExplainedStep, type Explanation, explain, type PassedOver } from "./explain.ts";
export { MODES } from "./field-table.ts";
export { didYouMean } from "./fields.ts";
export { type FlatNode, flatten, Rebuilder } from "./flat.ts";
export {
  type Claims,
  claimsNeeded,
  classify,
  type HttpItem,
  type HttpMatch,
  type ItemDescriptor,
  isFor,
  type JwtClaimsAction,
  type JwtProvider,
  matchesEvery,
  type NormalRequest,
  normalRequest,
  type RequestHead,
  routeMatch,
  TooManyParts,
  whyNot,
} from "./http/index.ts";
export { type DescriptorEntry, joined, type Match, match } from "./match.ts";
export { type ParseOptions, parseRules } from "./parse-rules.ts";
export { describeProblem, type RuleProblem, RulesError } from "./problem.ts";
export { partName } from "./rule-name.ts";
export {
  declaredMode,
  type Level,
  listRules,
  type MetadataValue,
  type Parent,
  type PathPart,
  type Rule,
  type RuleMetadata,
  type Rules,
} from "./rules.ts";
export { ruleFileSchema } from "./schema.ts";
export type { RuleFile } from "./source.ts";
export { unitLasting, unitNamed } from "./units.ts";
export { type UnknownKey, unknownKey } from "./unknown-key.ts";
export { LONGEST_FILE } from "./yaml-document.ts";
