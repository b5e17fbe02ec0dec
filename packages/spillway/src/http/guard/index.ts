/** What every adapter shares: who may pass a route, what they are answered, and how it ends. */
export type { Client, RequestReader } from "./client.ts";
export type { Entering } from "./entrance.ts";
export type { OnRouteEvent, RouteEvent } from "./events.ts";
export { type Answering, answered } from "./fetch-answer.ts";
export {
  A_RESPONSE,
  type FetchResponse,
  nobodyWaits,
  refusalResponse,
  watched,
  withHeaders,
} from "./fetch-response.ts";
export { Guard } from "./guard.ts";
export { chain, isPromised, type Maybe } from "./maybe.ts";
export {
  type Answer,
  answer,
  isGone,
  isOver,
  joined,
  type LooseRequest,
  type LooseResponse,
  type NodeRequest,
  type NodeResponse,
  type NodeSocket,
  nodeReader,
  setHeaders,
  watch,
} from "./node-response.ts";
export { respondByOwn } from "./own-response.ts";
export type { Passage } from "./passage.ts";
export { perSetting, routeParts } from "./per-setting.ts";
export type { Refusal } from "./refusal.ts";
export type {
  OfRequest,
  Outcome,
  RouteDecision,
  RouteKey,
  RouteLimit,
  RouteLimits,
  RouteOptions,
  Settle,
  ValueOrOfRequest,
} from "./route.ts";
export type { AnyLimiter } from "./taking.ts";
export { asksForSocket, bunOpener, bunServerIn, isEmpty, type SocketOpener } from "./web-socket.ts";
