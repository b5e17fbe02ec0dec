/** What stores across a network share: requests, deadlines, breakers, answers without the store. */
export { Breaker, type BreakerSettings } from "./breaker.ts";
export type { Call, Operation, Reply, Transport } from "./call.ts";
export { type OnEvent, type StoreEvent, tellSafely } from "./events.ts";
export { Fallback, unavailable } from "./fallback.ts";
export { REMOTE_OPTIONS, type RemoteOptions, remoteStore } from "./options.ts";
export { PortError } from "./port-error.ts";
export { ASK, KIND_NUMBERS, SCRIPT_REPLY, SCRIPT_STEPS, STEPS } from "./protocol.ts";
export type { RefusalSettings } from "./refusals.ts";
export { isListed, Request } from "./request.ts";
