/** The use cases that every transport calls. */
export type {
  BlockRequest,
  Decided,
  Descriptor,
  GivenLimit,
  HeldLease,
  KeyRequest,
  LeaseRequest,
  LeaseResponse,
  LimitRequest,
  LimitResponse,
  OnDecided,
  Outcome,
  Role,
  SettleRequest,
  ValuesResponse,
} from "./contracts.ts";
export { createService } from "./create-service.ts";
export { LEASE_PATTERN } from "./leases/request-leases.ts";
export { systemRandom } from "./random.ts";
export { RequestError } from "./request-error.ts";
export type { Service, ServiceOptions } from "./service.ts";
export type { Settings } from "./settings.ts";
export type { Begun, OnRequest, RequestTrace } from "./tracing.ts";
