/** The exports of `spillway/http`: headers, problem documents, client addresses, keys. */
export { refusalHeaders, refusalStatus } from "../../limits/core/index.ts";
export { type CachedOptions, cached } from "./cached.ts";
export { type ClientAddressOptions, clientAddress, type Trust } from "./client-address.ts";
export { joinKey } from "./key.ts";
export { problemBody } from "./media-types.ts";
export { type Policy, policyOf } from "./policy.ts";
export { type ProblemDocument, problemOf, type RefusalDetails } from "./problem.ts";
export {
  type Header,
  type HeaderForm,
  type LimitStatus,
  type LimitStatuses,
  rateLimitHeaders,
} from "./rate-limit-headers.ts";
