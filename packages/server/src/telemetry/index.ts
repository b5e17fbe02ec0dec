/** What a service says of itself: numbers, traces and lines. */
export * from "./log/index.ts";
export * from "./metrics/index.ts";
export * from "./otlp/index.ts";
export { startOtlp } from "./start-otlp.ts";
