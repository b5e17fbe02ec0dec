/** Metrics and traces for a collector of OpenTelemetry. What sends them is loaded where it is wanted. */
export type { Otlp } from "./otlp.ts";
export { type OtlpSettings, otlpSettings } from "./settings.ts";
