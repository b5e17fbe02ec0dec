/** Reads what a response reports about limits: the headers and documents that `headers/` writes. */

export { type Advice, adviceWait, NO_ADVICE, readAdvice } from "./advice.ts";
export type { ReadableHeaders } from "./answer-headers.ts";
export type { ClientResponse, Fetch } from "./fetch.ts";
export { type LimitProblem, problemIn } from "./problem.ts";
export type { Quota } from "./quotas.ts";
export { type RequestTimes, ServerClock } from "./server-clock.ts";
