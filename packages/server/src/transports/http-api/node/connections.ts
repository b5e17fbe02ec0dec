import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { afterTurn } from "spillway/support";
import type { Defence } from "../../intake/index.ts";
import type { ConnectionBounds, OnAnswered, OnClosed } from "./bounds.ts";
import { endBroken } from "./broken.ts";
import { type ConnectionContext, HttpConnection } from "./connection.ts";

export type ConnectionsOptions = {
  readonly handle: RequestListener;
  readonly bounds: ConnectionBounds;
  /** Called for each connection that is refused or cut. */
  readonly onDefence: (defence: Defence) => void;
  readonly onAnswered: OnAnswered | undefined;
  readonly onClosed: OnClosed | undefined;
  /** The number of connections of other kinds, under the same bound. Default: none. */
  readonly others?: () => number;
};

/**
 * All connections of a server, bounded each and together. Its methods handle the server's events.
 */
export class HttpConnections {
  readonly #bySocket = new Map<Socket, HttpConnection>();
  readonly #bounds: ConnectionBounds;
  readonly #onDefence: (defence: Defence) => void;
  readonly #others: () => number;
  readonly #shared: ConnectionContext;

  constructor({ handle, bounds, others = () => 0, ...options }: ConnectionsOptions) {
    const { onDefence, onAnswered, onClosed } = options;
    this.#others = others;
    this.#bounds = bounds;
    this.#onDefence = onDefence;
    const maxRequests = bounds.maxRequestsPerConnection;
    this.#shared = { handle, maxRequests, onAnswered, onClosed, waiting: 0, isResting: false };
  }

  /** `connection` */
  readonly add = (socket: Socket): void => {
    if (!this.admits(socket)) return;
    this.#bySocket.set(socket, new HttpConnection(socket, this.#shared));
    socket.once("close", () => this.#bySocket.delete(socket));
  };

  /** Whether there is room for another connection. Closes it if there is none. */
  admits(socket: Socket): boolean {
    // Node's own bound would pass the connection to the next worker, and on again if all are full.
    if (this.#bySocket.size + this.#others() < this.#bounds.maxConnections) return true;
    this.#cut(socket, "connection-refused");
    return false;
  }

  /** `request`: handles a request in its turn. Cuts the connection if too many requests wait. */
  readonly serve: RequestListener = (request, response) => {
    const { socket } = request;
    // Node emits all requests that it has read, even after the socket was destroyed.
    if (socket.destroyed) return;
    this.#bySocket.get(socket)?.add({ request, response });
    if (this.#shared.waiting <= this.#bounds.maxPipelined) return;
    this.#cut(socket, "pipeline-cut");
    if (!this.#shared.isResting) this.#rest();
  };

  /** `clientError` */
  readonly refuse = (error: NodeJS.ErrnoException, socket: Socket): void => {
    const connection = this.#bySocket.get(socket);
    endBroken(error, socket, { connection, requestTimeout: this.#bounds.requestTimeout });
  };

  /** `timeout`: cuts clients that do not read a response, and ends idle connections. */
  readonly expire = (socket: Socket): void => {
    if (this.#bySocket.get(socket)?.isWorking) return;
    if (socket.writableLength > 0) this.#cut(socket, "reader-cut");
    else socket.destroy();
  };

  #cut(socket: Socket, defence: Defence): void {
    this.#onDefence(defence);
    socket.destroy();
  }

  /**
   * Pauses reading on all connections for a turn of the event loop, in which waiting requests are
   * handled.
   */
  #rest(): void {
    this.#setResting(true);
    afterTurn(() => this.#setResting(false));
  }

  #setResting(isResting: boolean): void {
    this.#shared.isResting = isResting;
    for (const connection of this.#bySocket.values()) connection.readOn();
  }
}
