/** The required parts of servers and sockets, and the options of their limits. */
import type { AnyMembers, RouteLimits, UncheckedRequest } from "../http/guard/index.ts";
import type { Limits } from "../limits/core/index.ts";

/** The required part of a server: it emits its events by `emit`, as all servers of Node do. */
export type EventSource = {
  // biome-ignore lint/suspicious/noExplicitAny: each emitter has types of its own for its events
  emit(event: any, ...values: any[]): any;
};

/** The required part of a connection: a `net.Socket`, or what a server receives in its place. */
export type Connection = {
  readonly destroyed: boolean;
  /** Whether the other end has finished sending, and everything was read. */
  readonly readableEnded?: boolean;
  readonly remoteAddress?: string | undefined;
  readonly localAddress?: string | undefined;
  on(event: "error", listener: () => void): unknown;
  once(event: "close", listener: () => void): unknown;
  removeListener(event: "error", listener: () => void): unknown;
  resume(): unknown;
  end(words: string): unknown;
  destroy(): unknown;
  resetAndDestroy?(): unknown;
};

/** A connection with members of any type, for functions whose parameter has no declared type. */
export type UncheckedConnection = Connection & AnyMembers;

/** Options of routes that have no effect without a response. */
type OfResponses = {
  readonly headers?: never;
  readonly partitionKey?: never;
  readonly trust?: never;
};

/**
 * The options of limits of connections: a route whose requests are sockets.
 *
 * Keys, counts and `skip` may be functions of the socket. They are called before anything that the
 * client has sent is read.
 */
export type ConnectionRoute<S, L extends Limits = Limits> = RouteLimits<S, L> &
  OfResponses & {
    /**
     * The maximum number of connections that wait at once for a decision of a remote store: 1 to a
     * million. Default: 1000.
     *
     * Further connections are refused. Each waiting connection holds what it has sent, at most 64
     * KiB.
     */
    readonly maxPending?: number;
    /**
     * Returns the text that a refused client receives before its connection is closed. The text
     * must fit the client's protocol. If it is undefined, the connection is reset. Default: none;
     * all are reset.
     */
    readonly lastWords?: (socket: S) => string | undefined;
  };

/** The options of limits of upgrades, such as those to a WebSocket: a route of requests. */
export type UpgradeRoute<L extends Limits = Limits, R = UncheckedRequest> = RouteLimits<R, L> & {
  /**
   * The maximum number of upgrades that wait at once for a decision of a remote store: 1 to a
   * million. Further ones are refused. Default: 1000.
   */
  readonly maxPending?: number;
};
