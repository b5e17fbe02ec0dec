import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Bounds on the resources that one client, and all clients together, can use. */
export type ConnectionBounds = {
  /**
   * How long a request may take to arrive, headers and body, in milliseconds. The check runs twice
   * in that time, so a request is cut after 1 to 1.5 times this duration.
   */
  readonly requestTimeout: number;
  /**
   * How long a client may read nothing of a response before its connection is cut, in milliseconds.
   */
  readonly writeTimeout: number;
  /** How long a connection stays open after a response, in milliseconds. */
  readonly keepAliveTimeout: number;
  /** The maximum number of connections at once. Further ones are closed on arrival. */
  readonly maxConnections: number;
  /** The maximum number of requests on one connection. The response to the last one closes it. */
  readonly maxRequestsPerConnection: number;
  /**
   * The maximum number of pipelined requests of all connections that wait for an earlier response.
   * A client that exceeds it is cut. Clients that wait for each response never are.
   */
  readonly maxPipelined: number;
};

export const DEFAULT_BOUNDS: ConnectionBounds = {
  requestTimeout: 10_000,
  writeTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxConnections: 10_000,
  maxRequestsPerConnection: 100_000,
  maxPipelined: 10_000,
};

/** A request that has been answered. */
export type FinishedRequest = {
  /** The requested path. */
  readonly path: string;
  /** The HTTP status; `gone` if the client disconnected before it had the whole response. */
  readonly status: number | "gone";
  /** Milliseconds from the start of the request until its response was written. */
  readonly ms: number;
};

/** Called after each response. It must not throw. */
export type OnAnswered = (answered: FinishedRequest) => void;

/** Called when a response has left, or its connection is gone. It must not throw. */
export type OnClosed = (socket: Socket, response: ServerResponse) => void;
