/** The sessions of a gRPC server: their age, and whether their clients still respond. */
import type { Http2SecureServer, Http2Server, ServerHttp2Session } from "node:http2";
import { Server as NetServer } from "node:net";
import { afterDelay, alarm } from "spillway/support";

export type SessionOptions = {
  /**
   * Milliseconds after which a connection takes no more calls, so that clients spread over servers
   * again.
   */
  readonly maxAge: number;
  /**
   * Milliseconds that calls have to end when their connection is too old, or when the server stops.
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
  readonly #open = new Set<ServerHttp2Session>();

  constructor(server: Http2Server | Http2SecureServer, options: SessionOptions) {
    this.#server = server;
    this.#options = options;
    server.on("session", (session) => this.#add(session));
  }

  /** Closes all connections once their calls have ended, or after the grace. */
  async close(): Promise<void> {
    // An HTTP/2 server's own `close` would end sessions before their clients are informed.
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(this.#server, () => resolve());
    });
    const gone = [...this.#open].map((session) => this.#retire(session));
    await Promise.all(gone);
    await closed;
  }

  #add(session: ServerHttp2Session): void {
    session.on("error", () => {});
    this.#open.add(session);
    const { maxAge } = this.#options;
    // Ages differ, because clients that arrive together would otherwise return together.
    const age = maxAge * (0.9 + 0.2 * ((this.#open.size % 16) / 16));
    const cancels = [
      afterDelay(age, () => void this.#retire(session)),
      ping(session, this.#options.keepAlive),
    ];
    session.once("close", () => {
      this.#open.delete(session);
      for (const cancel of cancels) cancel();
    });
  }

  /** Makes the client send its next calls on another connection, and waits for calls under way. */
  #retire(session: ServerHttp2Session): Promise<void> {
    if (session.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = alarm(this.#options.grace, () => session.destroy());
      session.once("close", () => {
        cancel();
        resolve();
      });
      announceEnd(session);
    });
  }
}

/** The highest number of a stream. */
const LAST_STREAM = 2 ** 31 - 1;

/** How long to wait for a client to acknowledge, in milliseconds. */
const HEARD = 250;

/**
 * Announces the end of a connection in HTTP/2's two steps. First the client is informed, and its
 * further calls are still answered. After it has acknowledged, no more calls are accepted. A client
 * without calls under way need not acknowledge.
 */
function announceEnd(session: ServerHttp2Session): void {
  const end = () => {
    cancel();
    if (!session.destroyed) session.close();
  };
  const cancel = alarm(HEARD, end);
  session.once("close", cancel);
  session.goaway(0, LAST_STREAM);
  session.ping(end);
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
