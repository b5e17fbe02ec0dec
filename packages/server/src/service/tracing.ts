/** What transports report of a request, to whoever makes traces of them. */

/** One request, from when it is handled until it has its answer. */
export type RequestTrace = {
  /** Does what the request is about, as a part of it. */
  readonly run: <T>(work: () => T) => T;
  /** It has its answer: an HTTP status, or the name of a gRPC status. */
  readonly end: (status: number | string) => void;
};

/** A request that begins. */
export type Begun = {
  readonly transport: "http" | "grpc";
  /** A route, or a gRPC method: what the service itself calls it. */
  readonly name: string;
  /** Where it comes from: `traceparent` and its like. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** Begins a trace, or the continuation of one; undefined where none is made. */
export type OnRequest = (begun: Begun) => RequestTrace | undefined;
