import { metrics, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { OnCall } from "spillway/telemetry";

const meter = metrics.getMeter("spillway");
const tracer = trace.getTracer("spillway");
const decisions = meter.createCounter("limiter.decisions");
const units = meter.createCounter("limiter.units");
const duration = meter.createHistogram("limiter.store.duration", { unit: "s" });

/** Counts what limiters decide, and makes each call of their store a span of the work that asked. */
export const onCall: OnCall = ({ verb, duration: ms, error, outcomes }) => {
  duration.record(ms / 1000, { "limiter.verb": verb });
  const limits = outcomes.map(({ limit }) => limit);
  const attributes = { "limiter.verb": verb, "limiter.limits": limits };
  const end = Date.now();
  const span = tracer.startSpan(`limiter ${verb}`, {
    kind: SpanKind.CLIENT,
    startTime: end - ms,
    attributes,
  });
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  for (const { limit, result, taken } of outcomes) {
    decisions.add(1, { "limiter.limit": limit, "limiter.verb": verb, "limiter.result": result });
    if (taken > 0) units.add(taken, { "limiter.limit": limit });
  }
  span.end(end);
};
