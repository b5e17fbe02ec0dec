/** What an answer says of limits: its headers and problem documents, read as `headers/` writes them. Pure. */

export { type Advice, adviceWait, NO_ADVICE, readAdvice } from "./advice.ts";
export type { ReadableHeaders } from "./answer-headers.ts";
export type { ClientResponse, Fetch } from "./fetch.ts";
export { type LimitProblem, problemIn } from "./problem.ts";
export type { Quota } from "./quotas.ts";
export { ServerClock, type Span } from "./server-clock.ts";
