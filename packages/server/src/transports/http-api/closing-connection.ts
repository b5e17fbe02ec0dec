import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";
import { SECOND } from "spillway/core";
import { afterDelay, elapsed } from "spillway/support";
import { RequestError } from "../../service/index.ts";
import { retryAfterHeader } from "./refuse.ts";

/** How a server takes leave of its connections, in milliseconds. */
export type Leave = {
  /** A connection that has been quiet for so long is closed. */
  readonly quiet: number;
  /** How long a client has to close its side, once this one is closed. */
  readonly linger: number;
};

/**
 * A connection of a server that closes politely.
 *
 * The kernel resets a connection that is closed while there is something to read, and the reset can
 * overtake an answer. So only this side is closed at first: what still comes is read and dropped
 * until the client has closed the other side, or has had the time to.
 */
export class ClosingConnection {
  readonly #socket: Socket;
  /**
   * The answer to the latest request while it is under way. Answers are sent in the order of requests,
   * so it is the last.
   */
  #latest: FastifyReply | undefined;
  #leave: Leave | undefined;
  #bytesRead = 0;
  #quietSince = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Whether a request may be dealt with: it may not where no answer can be sent any longer. */
  begins(reply: FastifyReply): boolean {
    if (this.#leave !== undefined) {
      if (this.#isOver()) return false;
      markLast(reply);
      if (this.#latest?.raw.headersSent === false) this.#latest.raw.removeHeader("connection");
    }
    this.#latest = reply;
    // An idle connection must not hold the body of its last request.
    reply.raw.once("close", () => this.#forget(reply));
    return true;
  }

  /** The latest answer is to be the last; where none is under way, the next one is. */
  prepare(leave: Leave): void {
    this.#leave = leave;
    this.#bytesRead = this.#socket.bytesRead;
    this.#quietSince = elapsed();
    // What Node calls after an answer with `Connection: close`. Its own closes both sides.
    this.#socket.destroySoon = () => this.close();
    if (this.#latest?.raw.headersSent === false) markLast(this.#latest);
  }

  /** Closes it where nothing has come and nothing was due for a while. */
  closeIfQuiet(): void {
    const now = elapsed();
    const { bytesRead } = this.#socket;
    const isQuiet = !this.#isBusy && bytesRead === this.#bytesRead;
    this.#bytesRead = bytesRead;
    if (!isQuiet) this.#quietSince = now;
    else if (now - this.#quietSince >= (this.#leave?.quiet ?? 0)) this.close();
  }

  /** Closes it, with an answer where one is due. */
  giveUp(): void {
    if (this.#isBusy && this.#latest?.sent === false) this.#latest.send(stopping());
    else this.close();
  }

  /** Closes this side, and the other one when the client has, or has had the time. */
  close(): void {
    if (this.#socket.writableEnded) return;
    this.#socket.end(() => afterDelay(this.#leave?.linger ?? 0, () => this.#socket.destroy()));
  }

  #forget(reply: FastifyReply): void {
    if (this.#latest === reply) this.#latest = undefined;
  }

  get #isBusy(): boolean {
    return this.#latest?.raw.writableFinished === false;
  }

  /** Whether the client has been sent its last answer, or the end without one. */
  #isOver(): boolean {
    const raw = this.#latest?.raw;
    const isToldSo = raw?.headersSent && raw.getHeader("connection") === "close";
    return this.#socket.writableEnded || isToldSo === true;
  }
}

function markLast({ raw }: FastifyReply): void {
  raw.setHeader("connection", "close");
}

function stopping(): RequestError {
  const detail = "The service is stopping, and the request took too long; ask again";
  const headers = retryAfterHeader(SECOND);
  return new RequestError({ status: 503, code: "stopping", detail, headers });
}
