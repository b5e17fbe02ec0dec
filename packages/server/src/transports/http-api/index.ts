/** The HTTP transport: Spillway's own API, and Envoy's rate limit service as JSON. */

export {
  type AdminAccess,
  accessOf,
  guardOf,
  type ListeningOn,
  type TokenSource,
} from "./access.ts";
export { type AdminServerOptions, createAdminServer } from "./admin/admin-server.ts";
export type { AdminGuard, AdminTokens } from "./admin/caller.ts";
export {
  type CloseTimes,
  type Closing,
  ClosingConnection,
  type PendingReply,
} from "./closing-connection.ts";
export { GracefulStop, STOP_TIMES, type StopTimes } from "./finish-first.ts";
export type { TurnGate } from "./gather.ts";
export type { MetricsPage } from "./metrics.ts";
export { createMetricsServer, type MetricsServerOptions } from "./metrics-server.ts";
export {
  type ConnectionBounds,
  DEFAULT_BOUNDS,
  type FinishedRequest,
  type OnAnswered,
  type OnClosed,
} from "./node/bounds.ts";
export { HttpConnections } from "./node/connections.ts";
export { PROBLEM_TYPE, problemJson } from "./problems.ts";
export { createServer, type HttpServerOptions } from "./server.ts";
export { checkToken, TokenError, type Tokens } from "./tokens.ts";
export { LOG_LEVELS, type LogLevel, type LogLevels } from "./v1/log-route.ts";
export type {
  AskRules,
  ChangedRules,
  RuleSummary,
  RulesAnswer,
  RulesChange,
  RulesQuery,
  RulesRead,
  RulesRefusal,
  RunningRules,
  UnchangedRules,
} from "./v1/rules-contract.ts";
