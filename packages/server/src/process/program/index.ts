export type { LimitsChange, UpdatedLimiter } from "./kept-limits.ts";
export { type RuleLimits, type RuleLimitsOptions, rules } from "./rule-limits.ts";
export type { RulesSource } from "./source.ts";
export { type WatchedRules, type WatchRulesOptions, watchRules } from "./watch-rules.ts";
