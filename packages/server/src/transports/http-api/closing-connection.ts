import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { SECOND } from "spillway/core";
import { afterDelay, elapsed } from "spillway/support";
import { RequestError } from "../../service/index.ts";
import { retryAfterHeader } from "./refuse.ts";

/** The times for closing connections, in milliseconds. */
export type CloseTimes = {
  /** How long a connection must be quiet before it is closed. */
  readonly quiet: number;
  /** How long a client has to close its side after the server has closed its own. */
  readonly linger: number;
};

/** A response that may still be under way. */
export type PendingReply = {
  readonly raw: ServerResponse;
  /** Whether it has begun. */
  readonly sent: boolean;
  /** Answers with an error instead. */
  send(error: RequestError): unknown;
};

/** A connection, as a stop sees it. One whose responses wait for each other has more to say. */
export type Closing = Pick<ClosingConnection, "prepare" | "closeIfQuiet" | "giveUp"> &
  Partial<Pick<ClosingConnection, "begins" | "ended">>;

/**
 * A connection that closes without a reset.
 *
 * The kernel resets a connection that is closed with unread bytes, and the reset can overtake a
 * response. So only the server's side is closed at first. Further bytes are read and dropped until
 * the client has closed its side, or `linger` has passed.
 */
export class ClosingConnection {
  readonly #socket: Socket;
  /**
   * The response to the latest request while it is under way. Responses are sent in the order of
   * requests, so it is the last one.
   */
  #latest: PendingReply | undefined;
  #leave: CloseTimes | undefined;
  #bytesRead = 0;
  #quietSince = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Whether a request may be handled. It may not if no response can be sent any longer. */
  begins(reply: PendingReply): boolean {
    if (this.#leave !== undefined) {
      if (this.#isOver()) return false;
      markLast(reply);
      if (this.#latest?.raw.headersSent === false) this.#latest.raw.removeHeader("connection");
    }
    this.#latest = reply;
    return true;
  }

  /**
   * Forgets a response that has left, because an idle connection must not hold the body of its
   * last request.
   *
   * Called by the owner of the response's one listener for "close". A second listener makes Node
   * allocate an array, at the same place where it does for each connection. V8 sees those stay,
   * decides in some starts to allocate all of them in old space, and dead ones there keep whole
   * requests alive.
   */
  ended(response: ServerResponse): void {
    if (this.#latest?.raw === response) this.#latest = undefined;
  }

  /** Makes the response under way the last one, or the next one if none is under way. */
  prepare(leave: CloseTimes): void {
    this.#leave = leave;
    this.#bytesRead = this.#socket.bytesRead;
    this.#quietSince = elapsed();
    // Node calls this after a response with `Connection: close`. Its own version closes both sides.
    this.#socket.destroySoon = () => this.close();
    if (this.#latest?.raw.headersSent === false) markLast(this.#latest);
  }

  /** Closes the connection if nothing has arrived, and no response was due, for a while. */
  closeIfQuiet(): void {
    const now = elapsed();
    const { bytesRead } = this.#socket;
    const isQuiet = !this.#isBusy && bytesRead === this.#bytesRead;
    this.#bytesRead = bytesRead;
    if (!isQuiet) this.#quietSince = now;
    else if (now - this.#quietSince >= (this.#leave?.quiet ?? 0)) this.close();
  }

  /** Closes the connection, after a response if one is due. */
  giveUp(): void {
    if (this.#isBusy && this.#latest?.sent === false) this.#latest.send(stopping());
    else this.close();
  }

  /**
   * Closes the server's side, and the whole connection once the client has closed its own, or after
   * `linger`.
   */
  close(): void {
    if (this.#socket.writableEnded) return;
    this.#socket.end(() => afterDelay(this.#leave?.linger ?? 0, () => this.#socket.destroy()));
  }

  get #isBusy(): boolean {
    return this.#latest?.raw.writableFinished === false;
  }

  /** Whether the last response was sent, or the server's side was closed without one. */
  #isOver(): boolean {
    const raw = this.#latest?.raw;
    const isToldSo = raw?.headersSent && raw.getHeader("connection") === "close";
    return this.#socket.writableEnded || isToldSo === true;
  }
}

function markLast({ raw }: PendingReply): void {
  raw.setHeader("connection", "close");
}

function stopping(): RequestError {
  const detail = "The service is stopping, and the request took too long; send it again";
  const headers = retryAfterHeader(SECOND);
  return new RequestError({ status: 503, code: "stopping", detail, headers });
}
