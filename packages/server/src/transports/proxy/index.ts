/** The reverse proxy: requests are limited by the rules, and forwarded. */
export type { FrontTls } from "./front.ts";
export { type ProxyOptions, ReverseProxy, type UpstreamFailure } from "./proxy.ts";
export type { OpenStreams, PriorityRoute, ProxyShedding } from "./shedding.ts";
export type { UpstreamTimes } from "./upstream.ts";
