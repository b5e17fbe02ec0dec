/** The use cases that every transport calls. */
export type { Awaitable } from "./awaitable.ts";
export type {
  BlockRequest,
  Decided,
  Descriptor,
  GivenLimit,
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
} from "./limit-request.ts";
export { type HeldLease, LEASE_PATTERN } from "./request-leases.ts";
export { createService, type Service, type ServiceOptions } from "./service.ts";
export type { Settings } from "./settings.ts";
export type { Begun, OnRequest, RequestTrace } from "./tracing.ts";
