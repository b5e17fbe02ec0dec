/** Unpacks compressed messages off the event loop, a few at a time. */
import { createGunzip } from "node:zlib";
import { type HeldMessage, RoundRobinQueue } from "../../intake/index.ts";
import { tooLong } from "./message-frame.ts";
import { GrpcError, STATUS } from "./status.ts";

/** A message that unpacks itself when it is its turn, unless it has ended. It must not reject. */
export type PackedMessage = { unpack(): Promise<void> };

/** The number of Node's threads for it. */
const MOST = 4;

/** Connections take turns, so that none waits for all messages of another one. */
export class Unpacking {
  readonly #waiting = new RoundRobinQueue<PackedMessage>();
  #running = 0;

  /** Queues a message to unpack itself. */
  add(connection: object, packed: PackedMessage): void {
    this.#waiting.add(connection, packed);
    this.#begin();
  }

  #begin(): void {
    if (this.#running >= MOST) return;
    const packed = this.#waiting.next();
    if (packed === undefined) return;
    this.#running++;
    void packed.unpack().then(() => {
      this.#running--;
      this.#begin();
    });
  }
}

/**
 * Unpacks gzip into a message until that is complete.
 *
 * @throws GrpcError if it is not gzip, or unpacks to more than `longest` bytes
 */
export async function gunzip(packed: Buffer, into: HeldMessage, longest: number): Promise<void> {
  const parts = createGunzip();
  parts.end(packed);
  try {
    for await (const part of parts as AsyncIterable<Buffer>) {
      if (into.length + part.length > longest) throw tooLong("more", longest);
      into.add(part);
      if (into.isOver) return;
    }
  } catch (error) {
    if (error instanceof GrpcError) throw error;
    throw new GrpcError(STATUS.INTERNAL, "the message is not gzip, but its grpc-encoding is gzip");
  }
}
