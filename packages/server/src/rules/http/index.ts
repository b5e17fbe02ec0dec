/** The `http` section of rule files: finds the descriptors of a request. */
export { claimsNeeded, classify, type ItemDescriptor, isFor } from "./classify.ts";
export type { Claims } from "./entry.ts";
export type { HttpItem, HttpMatch, JwtClaimsAction, JwtProvider } from "./items.ts";
export { TooManyParts } from "./named-parts.ts";
export { type NormalRequest, normalRequest, type RequestHead } from "./request-head.ts";
export { matchesEvery, routeMatch } from "./route-match.ts";
export { whyNot } from "./why-not.ts";
