/** The HTTP transport: Spillway's own API, and Envoy's rate limit service as JSON. */
export { type Guard, guardOf, type ListeningOn } from "./access.ts";
export type { Bounds, Defence } from "./node/bounds.ts";
export { createServer, type ServerOptions } from "./server.ts";
export type {
  AskRules,
  ChangedRules,
  RuleSummary,
  RulesAnswer,
  RulesChange,
  RulesQuery,
  RulesRefusal,
  RunningRules,
} from "./v1/rules-contract.ts";
