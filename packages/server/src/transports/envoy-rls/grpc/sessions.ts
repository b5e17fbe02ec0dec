/** The connections of a gRPC server: how many, how old, and whether somebody is still there. */
import type { Http2SecureServer, Http2Server, ServerHttp2Session } from "node:http2";
import { afterDelay } from "spillway/core";

export type SessionOptions = {
  /** The most connections at once; further ones are closed as they come. */
  readonly maxConnections: number;
  /** Milliseconds after which a connection takes no more calls, so that clients spread anew. */
  readonly maxAge: number;
  /** Milliseconds that calls have to end when their connection is too old, or the server stops. */
  readonly grace: number;
  /** Milliseconds between two pings of a connection; one that isn't answered by the next ends it. */
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
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const gone = [...this.#open].map((session) => this.#retire(session));
    await Promise.all(gone);
    await closed;
  }

  #add(session: ServerHttp2Session): void {
    session.on("error", () => {});
    if (this.#open.size >= this.#options.maxConnections) {
      session.destroy();
      return;
    }
    this.#open.add(session);
    const { maxAge } = this.#options;
    // Not all at one instant: those that came together would come back together.
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

  /** Sends the client elsewhere with its next calls, and waits for those under way. */
  #retire(session: ServerHttp2Session): Promise<void> {
    if (session.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = afterDelay(this.#options.grace, () => session.destroy());
      session.once("close", () => {
        cancel();
        resolve();
      });
      session.close();
    });
  }
}

/** Pings a connection again and again, and ends it where the last ping had no answer. */
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
