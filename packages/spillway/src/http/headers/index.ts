/** Headers, problem details, client addresses and keys: pure, strings in and out; knows no framework. */
export { refusalHeaders, refusalStatus } from "../../limits/core/index.ts";
export { type Address, addressKey, parseAddress } from "./address.ts";
export { type CachedOptions, cached } from "./cached.ts";
export {
  type ClientAddress,
  type ClientAddressOptions,
  checkPrefix,
  clientAddress,
  forwardingHeader,
  type Peer,
  type Trust,
  type TrustedHeader,
} from "./client-address.ts";
export { joinKey, type KeyPart } from "./key.ts";
export { type Body, problemBody } from "./media-types.ts";
export { checkPartitionKey, type PartitionKey, partitions } from "./partition.ts";
export { type Policy, policyName, policyOf } from "./policy.ts";
export {
  BAD_REQUEST,
  NOT_ANSWERED,
  type ProblemDocument,
  problemOf,
  type Refused,
  SERVER_ERROR,
} from "./problem.ts";
export {
  HEADER_FORMS,
  type Header,
  type HeaderForm,
  headerNames,
  rateLimitHeaders,
  type Standing,
  type Standings,
} from "./rate-limit-headers.ts";
