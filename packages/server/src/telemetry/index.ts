/** Metrics, traces and logs of a service. */
export * from "./keys/index.ts";
export * from "./log/index.ts";
export * from "./metrics/index.ts";
export * from "./otlp/index.ts";
