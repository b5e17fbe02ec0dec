/** The answer of a call, from when it is written until its client has taken it. */
import { constants, type ServerHttp2Stream } from "node:http2";
import type { HeldBytes } from "../../intake/index.ts";
import type { Overdue, Unread } from "./overdue.ts";

/** What all answers of a server share. */
export type Outlet = {
  /** Bounds what they hold, with what messages do. */
  readonly held: HeldBytes;
  /** Sees to it that they are taken. */
  readonly overdue: Overdue;
  /** Is called each time that one is given up. */
  readonly onCut: () => void;
};

/**
 * Mostly it is taken in the turn in which it is written. A client that takes no bytes, as HTTP/2 lets it say, would
 * have its stream kept for as long as its connection lasts.
 */
export class Answer implements Unread {
  readonly #stream: ServerHttp2Stream;
  readonly #bytes: number;
  readonly #outlet: Outlet;

  /** @param bytes How many it has. */
  constructor(stream: ServerHttp2Stream, bytes: number, outlet: Outlet) {
    this.#stream = stream;
    this.#bytes = bytes;
    this.#outlet = outlet;
    outlet.overdue.watch(this);
  }

  /** Whether it is taken, or is not wanted any more. */
  get isRead(): boolean {
    const stream = this.#stream;
    return stream.writableFinished || stream.closed || stream.destroyed;
  }

  /** Is called where it was not taken at once: from now on it counts. */
  wait(): void {
    const { held, overdue } = this.#outlet;
    const message = held.begin({ longest: this.#bytes, onDropped: () => this.fail() });
    this.#stream.on("close", () => {
      overdue.read(this);
      message.release();
    });
    message.reserve(this.#bytes);
  }

  /** Gives it up: it takes too long, or others need its place. */
  fail(): void {
    if (this.isRead) return;
    this.#outlet.onCut();
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }
}
