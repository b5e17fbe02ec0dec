/** The answer to a proxy that asks before it passes a request on, for every transport. */

export { type AskedAnswer, askFirst, problemAnswer } from "./ask-first.ts";
export { type Addressed, addressOf } from "./client-address.ts";
export { badRequest, plainHeader, plainRequest } from "./plain-request.ts";
export { sectionOf } from "./section.ts";
export { isEnforced, refusedPolicies, statusHeaders } from "./status-headers.ts";
