/**
 * Clients that stay within other people's limits: a `fetch` that waits, paces requests, and retries
 * with care.
 */

export type { Fetch } from "../http/advice/index.ts";
export { type Advice, readAdvice } from "../http/advice/index.ts";
export type { StopSignal } from "../internal/index.ts";
export type { ClientEvent } from "./events.ts";
export { type LimitedFetch, limitedFetch } from "./limited-fetch.ts";
export type { CallOptions, LimitedFetchOptions } from "./options.ts";
export { decisionOf } from "./requests/decision-of.ts";
export { RetryBudget } from "./retry/retry-budget.ts";
export { limitInterceptor, type UndiciOptions } from "./undici/interceptor.ts";
export type { Counts } from "./units/counts.ts";
export { llmTokens } from "./units/llm-tokens.ts";
