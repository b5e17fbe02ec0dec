/** Reports the commands to a store and their outcomes, for metrics, traces and logs. */
export { instrumented } from "./instrumented.ts";
export type { OnCall, StoreCall } from "./store-call.ts";
