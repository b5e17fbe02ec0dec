/** Creates a span for each request, and spans inside it for calls of the store. */
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { elapsed } from "spillway/support";
import type { OnCall } from "spillway/telemetry";
import type { DecidedCall, RequestTrace, TracedRequest } from "../../service/index.ts";

/** Creates the spans of requests. */
export class Traces {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** Begins a span. Its parent is the span that `traceparent` names, if there is one. */
  readonly onRequest = ({ transport, name, headers }: TracedRequest): RequestTrace => {
    const parent = propagation.extract(ROOT_CONTEXT, headers);
    const method = name.startsWith("/") ? name.slice(1) : name;
    const options = { kind: SpanKind.SERVER, attributes: attributesOf(transport, method) };
    const span = this.#tracer.startSpan(method, options, parent);
    const inside = trace.setSpan(parent, span);
    return {
      run: (work) => context.with(inside, work),
      end: (status) => {
        const field =
          transport === "http" ? "http.response.status_code" : "rpc.response.status_code";
        span.setAttribute(field, status);
        if (isFailure(status)) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };

  /** Adds the decisions to the request's span: names of limits, and no keys. */
  readonly onDecided = ({ response, isShadow }: DecidedCall): void => {
    const { joint } = response;
    if (joint === undefined) return;
    const attributes: Attributes = { "spillway.ok": joint.ok, "spillway.limit": joint.limit };
    if (joint.reason !== undefined) attributes["spillway.reason"] = joint.reason;
    if (joint.degraded) attributes["spillway.degraded"] = true;
    if (isShadow) attributes["spillway.shadow"] = true;
    trace.getActiveSpan()?.setAttributes(attributes);
  };

  /**
   * Creates a span for a call of the store, inside that of its request. Calls outside of requests
   * have none.
   */
  readonly onCall: OnCall = ({ verb, duration, error, outcomes }) => {
    if (!trace.getActiveSpan()?.isRecording()) return;
    const end = performance.timeOrigin + elapsed();
    const limits = [...new Set(outcomes.map(({ limit }) => limit))];
    const span = this.#tracer.startSpan(`store ${verb}`, {
      kind: SpanKind.CLIENT,
      startTime: end - duration,
      attributes: { "spillway.verb": verb, "spillway.limits": limits },
    });
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  };
}

function attributesOf(transport: TracedRequest["transport"], method: string): Attributes {
  if (transport === "grpc") return { "rpc.system.name": "grpc", "rpc.method": method };
  const [verb = "", route = ""] = method.split(" ");
  return { "http.request.method": verb, "http.route": route };
}

/** Whether a status is a failure of the service or its store. */
function isFailure(status: number | string): boolean {
  return typeof status === "number"
    ? status >= 500
    : status === "INTERNAL" || status === "UNAVAILABLE" || status === "DEADLINE_EXCEEDED";
}
