/** Clients that speak HTTP/2 without TLS, over a few sessions. */
import { once } from "node:events";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import type { Arrival } from "../arrivals.ts";
import type { Clients, Flight, OnAnswer } from "./clients.ts";

/** Sessions take turns; one that broke is replaced. Who gives up resets the stream. */
export class Http2Clients implements Clients {
  readonly #url: string;
  readonly #most: number;
  readonly #sessions: ClientHttp2Session[] = [];
  #next = 0;

  /** @param options `sessions`: how many; infinite for one a request */
  constructor({ port, sessions }: { readonly port: number; readonly sessions: number }) {
    this.#url = `http://127.0.0.1:${port}`;
    this.#most = sessions;
  }

  /** Opens all sessions: a request doesn't need one of its own. */
  async open(): Promise<void> {
    while (this.#sessions.length < this.#most) await once(this.#grow(), "connect");
  }

  send({ path, priority }: Omit<Arrival, "due">, onAnswer: OnAnswer): Flight {
    const session = this.#session();
    const request = session.request({ ":path": path, "x-priority": priority });
    let status: number | undefined;
    request.on("response", (headers) => {
      status = headers[":status"];
    });
    // What went wrong doesn't matter: a close follows.
    request.on("error", () => {});
    request.on("close", () => {
      if (!Number.isFinite(this.#most)) session.close();
      onAnswer(request.rstCode === 0 ? status : undefined);
    });
    request.resume();
    return { abort: () => request.close(constants.NGHTTP2_CANCEL) };
  }

  #session(): ClientHttp2Session {
    if (this.#sessions.length < this.#most) return this.#grow();
    return this.#sessions[this.#next++ % this.#most] as ClientHttp2Session;
  }

  #grow(): ClientHttp2Session {
    const session = connect(this.#url);
    session.on("error", () => {});
    session.on("close", () => this.#sessions.splice(this.#sessions.indexOf(session), 1));
    this.#sessions.push(session);
    return session;
  }

  [Symbol.dispose](): void {
    for (const session of [...this.#sessions]) session.destroy();
  }
}
