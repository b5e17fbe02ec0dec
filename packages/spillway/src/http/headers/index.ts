/**
 * Headers, problem details, client addresses and keys, without a framework: pure functions of
 * strings.
 */

export { addressKey, parseAddress } from "./address.ts";
export { type ClientAddress, checkPrefix, forwardingHeader, type Peer } from "./client-address.ts";
export type { KeyPart } from "./key.ts";
export type { ProblemBody } from "./media-types.ts";
export { checkPartitionKey, type PartitionKey, partitions } from "./partition.ts";
export { policyName } from "./policy.ts";
export { BAD_REQUEST, NOT_ANSWERED, SERVER_ERROR } from "./problem.ts";
export * from "./public.ts";
export { HEADER_FORMS, headerNames } from "./rate-limit-headers.ts";
