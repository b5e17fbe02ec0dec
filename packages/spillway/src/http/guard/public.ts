/** The exports of `spillway/guard`, for adapters of other frameworks. */
export type { AnyLimiter } from "../../limiter/index.ts";
export type { Client, RequestReader } from "./client.ts";
export type { RouteEvent } from "./events.ts";
export { nobodyWaits, refusalResponse, watched, withHeaders } from "./fetch-response.ts";
export { Guard } from "./guard.ts";
export { answer, isGone, nodeReader, setHeaders, watch } from "./node-response.ts";
export type { Passage } from "./passage.ts";
export type { Refusal } from "./refusal.ts";
export type { RequestLimits } from "./request-limits.ts";
export type { ResponseOutcome, RouteDecision, RouteLimit, RouteOptions } from "./route.ts";
export { type FrameworkAdapter, serve } from "./serve.ts";
