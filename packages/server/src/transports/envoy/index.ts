/** Envoy's rate limit service, independent of how its messages are transported. */
export { LONGEST_TEXT, MOST_DESCRIPTORS, MOST_ENTRIES } from "./bounds.ts";
export {
  type Code,
  type CurrentLimit,
  type DescriptorMessage,
  type EntryMessage,
  type HeaderMessage,
  type LimitMessage,
  type RequestMessage,
  type ResponseMessage,
  type StatusMessage,
  UNIT_NAMES,
  type UnitName,
} from "./message.ts";
export { type EnvoyOptions, HEADER_NAMES, type HeaderNames } from "./options.ts";
export { LEASE_KEY, type RateLimitReply, rateLimit } from "./rate-limit.ts";
export { toLimitRequest } from "./to-request.ts";
export { type ResponseContext, toResponse } from "./to-response.ts";
export { isUnanswered } from "./unanswered.ts";
