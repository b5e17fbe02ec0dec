/** What every adapter shares: who may pass a route, what they are answered, and how it ends. */

export { answered } from "./fetch-answer.ts";
export { A_RESPONSE, type FetchResponse } from "./fetch-response.ts";
export {
  enterBy,
  isOver,
  joined,
  type Loose,
  type LooseRequest,
  type LooseResponse,
  type NodeRequest,
  type NodeResponse,
  type NodeSocket,
  passOver,
} from "./node-response.ts";
export { nodeRoute } from "./node-route.ts";
export { rethrow } from "./own-answer.ts";
export { respondByOwn } from "./own-response.ts";
export type { AnyPassage } from "./passage.ts";
export { perSetting, routeParts } from "./per-setting.ts";
export * from "./public.ts";
export type { DecidedRequest, RouteLimits } from "./route.ts";
export { asksForSocket, bunOpener, bunServerIn, isEmpty, type SocketOpener } from "./web-socket.ts";
