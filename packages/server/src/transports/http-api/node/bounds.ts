/** How much one client, and all of them together, can make the service hold. */
export type Bounds = {
  /**
   * How long a request may take to arrive, its headers and its body, in milliseconds. It is looked
   * at twice in that time, so that a request is cut after one to one and a half of it.
   */
  readonly requestTimeout: number;
  /** How long a client may accept nothing of an answer before its connection is cut; milliseconds. */
  readonly writeTimeout: number;
  /** How long a connection is kept open after an answer, in milliseconds. */
  readonly keepAliveTimeout: number;
  /** The most connections at once; further ones are closed as they come. */
  readonly maxConnections: number;
  /** The most requests of one connection; the answer to the last one closes it. */
  readonly maxRequestsPerConnection: number;
  /**
   * The most pipelined requests, of all connections together, that wait for the answer before
   * theirs. Whoever sends one more is cut; clients that wait for their answers never are.
   */
  readonly maxPipelined: number;
};

export const DEFAULT_BOUNDS: Bounds = {
  requestTimeout: 10_000,
  writeTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxConnections: 10_000,
  maxRequestsPerConnection: 100_000,
  maxPipelined: 10_000,
};

/** A request that has its answer. */
export type Answered = {
  /** The path, as it was asked for. */
  readonly path: string;
  /** The HTTP status; `gone` where the client was, before it had all of it. */
  readonly status: number | "gone";
  /** Milliseconds from when it was handled until its answer was written. */
  readonly ms: number;
};

/** Receives requests that have their answer. It must not throw. */
export type OnAnswered = (answered: Answered) => void;
