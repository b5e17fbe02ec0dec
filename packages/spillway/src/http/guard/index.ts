/** The part that adapters share: it admits or refuses requests, answers refusals, ends passages. */

export { answered } from "./fetch-answer.ts";
export { A_RESPONSE, type FetchResponse } from "./fetch-response.ts";
export {
  type AnyMembers,
  applyPassage,
  enterBy,
  isOver,
  joined,
  type NodeRequest,
  type NodeResponse,
  type NodeSocket,
  type UncheckedRequest,
  type UncheckedResponse,
} from "./node-response.ts";
export { nodeRoute } from "./node-route.ts";
export { rethrow } from "./own-answer.ts";
export { respondByOwn } from "./own-response.ts";
export type { AnyPassage } from "./passage.ts";
export { perSetting, routeParts, sharedRoute } from "./per-setting.ts";
export * from "./public.ts";
export { requestLimitsOf } from "./request-limits.ts";
export type { DecidedRequest, RouteLimits, SharedRoute } from "./route.ts";
export { asksForSocket, bunOpener, bunServerIn, isEmpty, type SocketOpener } from "./web-socket.ts";
