/** Sends metrics and traces to a collector of OpenTelemetry, by OTLP over HTTP. */
import { DiagLogLevel, diag } from "@opentelemetry/api";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import { SECOND, type Warn } from "spillway/core";
import { alarm, shownReason } from "spillway/support";
import { ThrottledLog } from "../log/index.ts";
import type { Series } from "../metrics/index.ts";
import type { OtlpSettings } from "./settings.ts";
import type { Traces } from "./traces.ts";

export type OtlpOptions = OtlpSettings & {
  readonly series: () => readonly Series[];
  readonly warn: Warn;
};

export type Otlp = {
  /** Undefined if traces are not wanted. */
  readonly traces: Traces | undefined;
  /** Sends pending data, for two seconds at most. */
  readonly close: () => Promise<void>;
};

/** The longest time that an absent collector delays a stop, in milliseconds. */
const LONGEST_FLUSH = 2 * SECOND;

/**
 * Starts sending. The exporters read their endpoint and headers from the environment.
 *
 * Data that can't be sent is dropped: spans wait in a queue of 2048, and metrics are read only when
 * they are sent.
 */
export async function otlp(options: OtlpOptions): Promise<Otlp> {
  reportFailures(options.warn);
  const resource = defaultResource()
    .merge(resourceFromAttributes({ "service.name": "spillway" }))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
  const closes: (() => Promise<void>)[] = [];
  if (options.metrics) closes.push(await exportMetrics(options, resource));
  const tracing = options.traces ? await exportTraces(options, resource) : undefined;
  if (tracing !== undefined) closes.push(tracing.close);
  return { traces: tracing?.traces, close: () => allWithin(closes, LONGEST_FLUSH) };
}

type Resource = ReturnType<typeof defaultResource>;

async function exportMetrics({ series, interval }: OtlpOptions, resource: Resource) {
  const { MeterProvider, PeriodicExportingMetricReader } = await import(
    "@opentelemetry/sdk-metrics"
  );
  const { OTLPMetricExporter } = await import("@opentelemetry/exporter-metrics-otlp-http");
  const { seriesProducer } = await import("./metric-data.ts");
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: interval,
    exportTimeoutMillis: Math.min(interval, LONGEST_EXPORT),
    metricProducers: [seriesProducer(series)],
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  return () => provider.shutdown();
}

const LONGEST_EXPORT = 10 * SECOND;

async function exportTraces({ sampling }: OtlpOptions, resource: Resource) {
  const { BatchSpanProcessor, NodeTracerProvider } = await import("@opentelemetry/sdk-trace-node");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { samplerOf } = await import("./sampler.ts");
  const { Traces } = await import("./traces.ts");
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  const sampler = samplerOf(sampling);
  const provider = new NodeTracerProvider({ resource, spanProcessors, sampler });
  provider.register();
  return { traces: new Traces(provider.getTracer("spillway")), close: () => provider.shutdown() };
}

/** The SDK reads these variables too, but its result is not used: `samplingOf` decides. */
const READ_HERE = /^OTEL_TRACES_SAMPLER/;

/** Reports failures at most once a minute. Passwords in endpoints are masked. */
function reportFailures(warn: Warn): void {
  const throttled = new ThrottledLog({ warn });
  const report = (message: string) => {
    if (READ_HERE.test(message)) return;
    const text = shownReason(message);
    throttled.say({ sort: "otlp", message: `telemetry could not be sent, and is lost: ${text}` });
  };
  const none = () => {};
  const logger = { error: report, warn: none, info: none, debug: none, verbose: none };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
}

async function allWithin(closes: readonly (() => Promise<void>)[], ms: number): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = alarm(ms, resolve);
  });
  const closed = Promise.allSettled(closes.map((close) => close()));
  await Promise.race([closed, late]);
  cancel();
}
