/** What a store is asked and how it answers, for metrics, traces and logs. */
export { instrumented } from "./instrumented.ts";
export type { OnCall, StoreCall } from "./store-call.ts";
