/** What a store is asked and how it answers, for metrics, traces and logs. */
export { type InstrumentedOptions, instrumented } from "./instrumented.ts";
export type { CallOutcome, CallResult, OnCall, StoreCall } from "./store-call.ts";
