/** The use cases that every transport calls. */
export type { Awaitable } from "./awaitable.ts";
export type {
  Descriptor,
  GivenLimit,
  LimitRequest,
  LimitResponse,
  Outcome,
  Role,
} from "./limit-request.ts";
export { createService, type Service, type ServiceOptions } from "./service.ts";
export type { Settings } from "./settings.ts";
