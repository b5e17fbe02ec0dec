/** Metrics and traces for a collector of OpenTelemetry. The SDK is loaded only if it is needed. */
export { otlpSettings } from "./settings.ts";
export { startOtlp } from "./start-otlp.ts";
