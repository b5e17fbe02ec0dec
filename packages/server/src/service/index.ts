/** The use cases that every transport calls. */
export type { Descriptor, LimitRequest, LimitResponse, Outcome } from "./limit-request.ts";
export { createService, type Service, type ServiceOptions } from "./service.ts";
