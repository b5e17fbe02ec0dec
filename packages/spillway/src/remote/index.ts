/** What stores across a network share: requests, deadlines, breakers, answers without the store. */
export type { BreakerSettings } from "./breaker.ts";
export type { Call, Operation, Reply, Transport } from "./call.ts";
export type { OnEvent, StoreEvent } from "./events.ts";
export { REMOTE_OPTIONS, type RemoteOptions, remoteStore } from "./options.ts";
export type { RefusalSettings } from "./refusals.ts";
