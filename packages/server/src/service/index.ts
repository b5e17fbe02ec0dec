/** The use cases that every transport calls. */
export * from "./admin/index.ts";
export { type Classifier, type ClassifierOptions, classifier } from "./classifying/classifier.ts";
export type {
  BlockRequest,
  DecidedCall,
  Descriptor,
  GivenLimit,
  HeldLease,
  KeyRequest,
  LeaseResponse,
  LimitRequest,
  LimitResponse,
  OnDecided,
  RequestWithLease,
  RuleDecision,
  RuleRole,
  SettleRequest,
  ValuesResponse,
} from "./contracts.ts";
export { createService } from "./create-service.ts";
export { RenewedLease } from "./leases/renewed-lease.ts";
export { LEASE_PATTERN } from "./leases/request-leases.ts";
export {
  describeSwitch,
  type ModeSwitch,
  type SwitchedLimits,
} from "./modes/mode-switch.ts";
export { systemRandom } from "./random.ts";
export { RequestError } from "./request-error.ts";
export type { Service, ServiceOptions } from "./service.ts";
export type { ServiceSettings } from "./settings.ts";
export type { OnRequest, RequestTrace, TracedRequest } from "./tracing.ts";
