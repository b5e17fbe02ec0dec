export { CommandError } from "./process/command-error.ts";
export {
  type LimitsChange,
  type RulesSource,
  type UpdatedLimiter,
  type WatchedRules,
  type WatchRulesOptions,
  watchRules,
} from "./process/program/index.ts";
export {
  type DescriptorEntry,
  describeProblem,
  descriptorName,
  didYouMean,
  type ExplainedStep,
  type Explanation,
  explain,
  type FlatNode,
  flatten,
  joined,
  type Level,
  LONGEST_FILE,
  listRules,
  type Match,
  type MetadataValue,
  match,
  type NormalRequest,
  normalRequest,
  type Parent,
  type ParseOptions,
  type PassedOver,
  type PathPart,
  parseRules,
  partName,
  Rebuilder,
  type Rule,
  type RuleFile,
  type RuleMetadata,
  type RuleProblem,
  type Rules,
  RulesError,
  ruleFileSchema,
  type UnknownKey,
  unitLasting,
  unitNamed,
  unknownKey,
} from "./rules/index.ts";
export * from "./service/index.ts";
export { type EnvoyOptions, HEADER_NAMES, type HeaderNames } from "./transports/envoy/index.ts";
export {
  createRlsServer,
  type GrpcServer,
  type RlsOptions,
  type SessionOptions,
  type TlsOptions,
} from "./transports/envoy-rls/index.ts";
export * from "./transports/http-api/index.ts";
export { type Defence, HeldBytes, type HeldOptions } from "./transports/intake/index.ts";
