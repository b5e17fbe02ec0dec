/** Metrics and traces for a collector of OpenTelemetry. What sends them is loaded where it is wanted. */
export { otlpSettings } from "./settings.ts";
export { startOtlp } from "./start-otlp.ts";
