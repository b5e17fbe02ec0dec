/** The answer of a gRPC call, from the first write until the client has read it. */
import { constants, type ServerHttp2Stream } from "node:http2";
import type { HeldBytes } from "../../intake/index.ts";
import type { AwaitedMessage, Overdue } from "./overdue.ts";

/** The parts that all answers of a server share. */
export type Outlet = {
  /** Bounds the bytes that answers hold, together with those of messages. */
  readonly held: HeldBytes;
  /** Ends answers that are not read in time. */
  readonly overdue: Overdue;
  /** Called for each answer that is dropped because it is not read. */
  readonly onCut: () => void;
};

/**
 * Most answers are read in the turn in which they are written. An HTTP/2 client can stop reading;
 * without this its stream would be kept as long as its connection.
 */
export class PendingResponse implements AwaitedMessage {
  readonly #stream: ServerHttp2Stream;
  readonly #bytes: number;
  readonly #outlet: Outlet;

  /** @param bytes The size of the answer. */
  constructor(stream: ServerHttp2Stream, bytes: number, outlet: Outlet) {
    this.#stream = stream;
    this.#bytes = bytes;
    this.#outlet = outlet;
    outlet.overdue.watch(this);
  }

  /** Whether the answer has been read, or is no longer wanted. */
  get isRead(): boolean {
    const stream = this.#stream;
    return stream.writableFinished || stream.closed || stream.destroyed;
  }

  /** Called if the answer was not read at once. From now on it counts as held. */
  wait(): void {
    const { held, overdue } = this.#outlet;
    const message = held.begin({ longest: this.#bytes, onDropped: () => this.fail() });
    this.#stream.on("close", () => {
      overdue.read(this);
      message.release();
    });
    message.reserve(this.#bytes);
  }

  /** Drops the answer, because the client reads it too slowly or its memory is needed. */
  fail(): void {
    if (this.isRead) return;
    this.#outlet.onCut();
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }
}
