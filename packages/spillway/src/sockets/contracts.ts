/** What is needed of servers and sockets, and what can be said of their limits. */
import type { AnyMembers, RouteLimits, UncheckedRequest } from "../http/guard/index.ts";
import type { Limits } from "../limits/core/index.ts";

/** What is needed of a server: any that emits its events by `emit`, as all of Node do. */
export type EventSource = {
  // biome-ignore lint/suspicious/noExplicitAny: each emitter has types of its own for its events
  emit(event: any, ...values: any[]): any;
};

/** What is needed of a connection: a `net.Socket`, or whatever is given to a server in its place. */
export type Connection = {
  readonly destroyed: boolean;
  /** Whether its other end has said that nothing more comes, and all that came was read. */
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

/** The same with whatever else there is, for functions whose parameter has no type of its own. */
export type UncheckedConnection = Connection & AnyMembers;

/** Options of routes that mean nothing where no response is written. */
type OfResponses = {
  readonly headers?: never;
  readonly partitionKey?: never;
  readonly trust?: never;
};

/**
 * What can be said of the limits of connections: a route whose requests are sockets. Keys, counts and
 * `skip` may be functions of the socket; nothing of what it has sent is known to them.
 */
export type ConnectionRoute<S, L extends Limits = Limits> = RouteLimits<S, L> &
  OfResponses & {
    /**
     * The most connections that wait at once for the answer of a store across a network, 1 to a
     * million; more are refused. Each holds what it has sent, at most 64 KiB. Default: 1000.
     */
    readonly maxPending?: number;
    /**
     * What a refused client receives before its connection is closed, in the words of its protocol;
     * undefined for none. Default: none, and the connection is reset.
     */
    readonly lastWords?: (socket: S) => string | undefined;
  };

/** What can be said of the limits of upgrades, such as those to a WebSocket: a route of requests. */
export type UpgradeRoute<L extends Limits = Limits, R = UncheckedRequest> = RouteLimits<R, L> & {
  /** The most upgrades that wait at once for the answer of a store; more are refused. Default: 1000. */
  readonly maxPending?: number;
};
