/** A connection of HTTP/2 that ends without losing requests, whatever its client does. */
import type { ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { afterTurn } from "spillway/support";
import type { CloseTimes, Closing, ConnectionBounds } from "../../http-api/index.ts";
import { afterUnlessClosed, announceEnd } from "../../intake/index.ts";
import { sendError } from "../answers.ts";
import { upstreamError } from "../refused.ts";
import type { StreamResponse } from "./stream-response.ts";
import { UnreadResponses } from "./unread-responses.ts";

type ClosingOptions = {
  readonly session: ServerHttp2Session;
  readonly socket: Socket;
  readonly bounds: Pick<ConnectionBounds, "writeTimeout">;
  /** Called when a response, or the connection, is cut because its client reads nothing. */
  readonly onCut: () => void;
};

export class ClosingSession implements Closing {
  readonly #options: ClosingOptions;
  readonly #pending: UnreadResponses;
  /** How long the client has to close its side after the last response. */
  #linger: number;
  #isLeaving = false;

  constructor(options: ClosingOptions) {
    this.#options = options;
    const { session, socket, bounds, onCut } = options;
    const { writeTimeout } = bounds;
    this.#linger = writeTimeout;
    this.#pending = new UnreadResponses({
      socket,
      writeTimeout,
      onUnread: (response) => {
        onCut();
        response.cut();
      },
      onStuck: () => {
        onCut();
        socket.destroy();
      },
    });
    // Node then closes a session whose client says that it sends no more requests, also if it says
    // so again and again.
    session.once("goaway", () => afterTurn(() => this.#leave()));
  }

  /** Adds a response until it has left. */
  add(response: StreamResponse): void {
    this.#pending.add(response);
    response.once("close", () => {
      this.#pending.delete(response);
      this.#leave();
    });
  }

  /** Ends a connection on which nothing has happened for a while. */
  closeIfIdle(): void {
    const { session } = this.#options;
    if (this.#pending.size > 0 || session.closed || session.destroyed) return;
    session.close();
    this.#leave();
  }

  /** Informs the client. The session closes once its streams have ended. */
  announce(): void {
    const { session } = this.#options;
    if (!session.destroyed) announceEnd(session, () => this.#leave());
  }

  prepare({ linger }: CloseTimes): void {
    this.#linger = linger;
    this.announce();
  }

  /** It closes by itself. */
  closeIfQuiet(): void {}

  /** Answers what has no answer yet, and ends the rest. */
  giveUp(): void {
    for (const response of this.#pending) sendError(response, upstreamError("stopping"));
    this.#destroyLater();
  }

  /**
   * A closed session ends the server's side only, and without streams it has no timer any more: a
   * client that does not close its own side would stay.
   */
  #leave(): void {
    const { session } = this.#options;
    if (this.#isLeaving || this.#pending.size > 0 || !session.closed) return;
    this.#isLeaving = true;
    this.#destroyLater();
  }

  #destroyLater(): void {
    const { socket } = this.#options;
    afterUnlessClosed(socket, this.#linger, () => socket.destroy());
  }
}
