/** Clients that stay within other people's limits: a `fetch` that waits, paces, and repeats with care. */

export type { ClientResponse, Fetch, Quota } from "../http/advice/index.ts";
export { type Advice, type ReadableHeaders, readAdvice } from "../http/advice/index.ts";
export type { StopSignal } from "../internal/index.ts";
export type { Init } from "./contracts.ts";
export { decisionOf } from "./decision-of.ts";
export type { ClientEvent, OnClientEvent, WaitReason } from "./events.ts";
export { type LimitedFetch, limitedFetch } from "./limited-fetch.ts";
export type { CallOptions, LimitedFetchOptions, Repeat } from "./options.ts";
export type { ClientRequest } from "./request.ts";
export type { BackoffSettings } from "./retry/backoff.ts";
export { RetryBudget, type RetryBudgetSettings } from "./retry/retry-budget.ts";
export {
  limitInterceptor,
  type UndiciDispatch,
  type UndiciHandler,
  type UndiciOptions,
} from "./undici.ts";
export type { UndiciController } from "./undici-control.ts";
export type { CountOption, Counts } from "./units/counts.ts";
export { llmTokens } from "./units/llm-tokens.ts";
