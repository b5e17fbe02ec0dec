/** The sessions of a gRPC server: their age, and whether their clients still respond. */
import type { Http2SecureServer, Http2Server, ServerHttp2Session } from "node:http2";
import { Server as NetServer } from "node:net";
import { afterDelay, alarm } from "spillway/support";
import { announceEnd } from "../../intake/index.ts";

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
