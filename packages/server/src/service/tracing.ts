/** The events of a request that transports report for tracing. */

/** One request, from its start until its response. */
export type RequestTrace = {
  /** Runs work as a part of the trace. */
  readonly run: <T>(work: () => T) => T;
  /** Ends the trace with an HTTP status, or with the name of a gRPC status. */
  readonly end: (status: number | string) => void;
};

/** A request that begins. */
export type TracedRequest = {
  readonly transport: "http" | "grpc";
  /** The service's own name of the route or the gRPC method. */
  readonly name: string;
  /** The request's headers, such as `traceparent`. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** Begins or continues a trace; undefined if none is made. */
export type OnRequest = (begun: TracedRequest) => RequestTrace | undefined;
