/** A connection of HTTP/2 that ends without losing requests. */
import type { ServerHttp2Session } from "node:http2";
import { afterDelay } from "spillway/support";
import type { CloseTimes, Closing } from "../../http-api/index.ts";
import { announceEnd } from "../../intake/index.ts";
import { sendError } from "../answers.ts";
import { upstreamError } from "../refused.ts";
import type { StreamResponse } from "./stream-response.ts";

export class ClosingSession implements Closing {
  readonly #session: ServerHttp2Session;
  readonly #pending = new Set<StreamResponse>();
  #linger = 0;

  constructor(session: ServerHttp2Session) {
    this.#session = session;
  }

  /** Adds a response until it has left. */
  add(response: StreamResponse): void {
    this.#pending.add(response);
    response.once("close", () => this.#pending.delete(response));
  }

  /** Ends a connection on which nothing has happened for a while. */
  closeIfIdle(): void {
    if (this.#pending.size > 0 || this.#session.destroyed) return;
    // Only a client that does not close its side meets the second call.
    if (this.#session.closed) this.#session.destroy();
    else this.#session.close();
  }

  /** Every stream has its own answer, so each may begin until the client has been informed. */
  begins(): boolean {
    return true;
  }

  ended(): void {}

  /** Informs the client. The session closes once its streams have ended. */
  prepare({ linger }: CloseTimes): void {
    this.#linger = linger;
    if (!this.#session.destroyed) announceEnd(this.#session);
  }

  /** It closes by itself. */
  closeIfQuiet(): void {}

  /** Answers what has no answer yet, and ends the rest. */
  giveUp(): void {
    for (const response of this.#pending) sendError(response, upstreamError("stopping"));
    afterDelay(this.#linger, () => this.#session.destroy());
  }
}
