/** The sessions of a gRPC server: their age, and whether their clients still respond. */
import type { Http2SecureServer, Http2Server, ServerHttp2Session } from "node:http2";
import { Server as NetServer, type Socket } from "node:net";
import { afterDelay, afterTurn } from "spillway/support";
import { afterUnlessClosed, announceEnd, connectionEvent } from "../../intake/index.ts";

export type SessionOptions = {
  /**
   * Milliseconds after which a connection takes no more calls, so that clients spread over servers
   * again.
   */
  readonly maxAge: number;
  /**
   * Milliseconds that calls have to end when their connection is too old, or when the server stops,
   * and that a client has to close its side then.
   */
  readonly grace: number;
  /**
   * Milliseconds between two pings of a connection. A ping that is not answered before the next one
   * ends the connection.
   */
  readonly keepAlive: number;
};

export class Sessions {
  readonly #server: Http2Server | Http2SecureServer;
  readonly #options: SessionOptions;
  readonly #open = new Map<ServerHttp2Session, Socket>();
  /** Connections that are to be destroyed already. */
  readonly #ending = new WeakSet<Socket>();

  constructor(server: Http2Server | Http2SecureServer, options: SessionOptions) {
    this.#server = server;
    this.#options = options;
    // A session does not show its socket. Node begins it while this event is emitted.
    server.prependListener(connectionEvent(server), (socket: Socket) => {
      const add = (session: ServerHttp2Session) => this.#add(session, socket);
      server.once("session", add);
      afterTurn(() => server.off("session", add));
    });
  }

  /** Closes all connections once their calls have ended, or after the grace. */
  async close(): Promise<void> {
    // An HTTP/2 server's own `close` would end sessions before their clients are informed.
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(this.#server, () => resolve());
    });
    const gone = [...this.#open].map((one) => this.#retire(...one));
    await Promise.all(gone);
    await closed;
  }

  #add(session: ServerHttp2Session, socket: Socket): void {
    session.on("error", () => {});
    this.#open.set(session, socket);
    const { maxAge } = this.#options;
    // Ages differ, because clients that arrive together would otherwise return together.
    const age = maxAge * (0.9 + 0.2 * ((this.#open.size % 16) / 16));
    const cancels = [
      afterDelay(age, () => void this.#retire(session, socket)),
      ping(session, this.#options.keepAlive),
    ];
    // Node then closes the session, but not the client's side. Clients may send it without end.
    session.once("goaway", () => this.#destroyLater(socket));
    session.once("close", () => {
      this.#open.delete(session);
      for (const cancel of cancels) cancel();
    });
  }

  /** Makes the client send its next calls on another connection, and waits for calls under way. */
  #retire(session: ServerHttp2Session, socket: Socket): Promise<void> {
    if (socket.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      socket.once("close", resolve);
      this.#destroyLater(socket);
      if (!session.destroyed) announceEnd(session);
    });
  }

  /** A client that does not close its side would keep the socket. */
  #destroyLater(socket: Socket): void {
    if (this.#ending.has(socket)) return;
    this.#ending.add(socket);
    afterUnlessClosed(socket, this.#options.grace, () => socket.destroy());
  }
}

/** Pings a connection at intervals, and ends it if the last ping had no answer. */
function ping(session: ServerHttp2Session, pause: number): () => void {
  let isAnswered = true;
  let cancel = afterDelay(pause, next);
  function next(): void {
    if (session.destroyed) return;
    if (!isAnswered) {
      session.destroy();
      return;
    }
    isAnswered = false;
    session.ping((error) => {
      isAnswered = error === null;
    });
    cancel = afterDelay(pause, next);
  }
  return () => cancel();
}
