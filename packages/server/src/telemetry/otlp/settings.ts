/** Reads the settings of OpenTelemetry from the environment. Pure. */
import { type Sampling, samplingOf } from "./sampling.ts";

type OtlpEnvironment = Readonly<Record<string, string | undefined>>;

export type OtlpSettings = {
  readonly metrics: boolean;
  readonly traces: boolean;
  /** Milliseconds between two exports of metrics. */
  readonly interval: number;
  readonly sampling: Sampling;
  /** Settings that can't be followed. */
  readonly warnings: readonly string[];
};

const USUAL_INTERVAL = 60_000;

/** Nothing is sent unless an endpoint is given. */
export function otlpSettings(env: OtlpEnvironment): OtlpSettings {
  const isOff = /^true$/i.test(env.OTEL_SDK_DISABLED ?? "");
  const isOn = (signal: "METRICS" | "TRACES") =>
    !isOff &&
    Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]) &&
    (env[`OTEL_${signal}_EXPORTER`] || "otlp") === "otlp";
  const interval = Number(env.OTEL_METRIC_EXPORT_INTERVAL || USUAL_INTERVAL);
  const isInterval = Number.isInteger(interval) && interval > 0 && interval < 2 ** 31;
  const { warnings: ofSampling, ...sampling } = samplingOf(env);
  const isTracing = isOn("TRACES");
  return {
    metrics: isOn("METRICS"),
    traces: isTracing,
    interval: isInterval ? interval : USUAL_INTERVAL,
    sampling,
    warnings: [
      ...(isOn("METRICS") || isTracing ? warningsOf(env, isInterval) : []),
      ...(isTracing ? ofSampling : []),
    ],
  };
}

function warningsOf(env: OtlpEnvironment, isInterval: boolean): readonly string[] {
  const { OTEL_EXPORTER_OTLP_PROTOCOL: protocol = "" } = env;
  const found: string[] = [];
  if (protocol !== "" && protocol !== "http/json") {
    found.push(
      "OTEL_EXPORTER_OTLP_PROTOCOL: telemetry is sent as http/json, to the collector's " +
        "port for HTTP",
    );
  }
  if (!isInterval) {
    found.push(
      `OTEL_METRIC_EXPORT_INTERVAL is not a number of milliseconds: ${USUAL_INTERVAL} is used`,
    );
  }
  return found;
}
