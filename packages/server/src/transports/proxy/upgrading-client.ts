/** A client until it has its WebSocket, or is refused one: what it sends, and whether it goes. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** How many early bytes are kept at most, not counting those that came with the request. */
const MOST = 65_536;

/**
 * The bytes that a client sends before its response.
 *
 * Reads on meanwhile, because a client that goes is only noticed by reading. Clients should send
 * nothing yet (RFC 6455, 4.1). One that has sent too much is read no further.
 */
export class EarlyBytes {
  readonly #client: Duplex;
  readonly #chunks: Buffer[];
  #length = 0;

  /** `head` came with the request. */
  constructor(client: Duplex, head: Buffer) {
    this.#client = client;
    this.#chunks = [head];
    client.on("data", this.#keep);
    client.once("end", this.#gone);
  }

  /** Returns all of them, and reads no further. */
  take(): Buffer {
    this.#client.off("data", this.#keep);
    this.#client.off("end", this.#gone);
    this.#client.pause();
    return Buffer.concat(this.#chunks);
  }

  readonly #keep = (chunk: Buffer): void => {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length >= MOST) this.#client.pause();
  };

  /** A client that has closed its side can't use a WebSocket. */
  readonly #gone = (): void => {
    this.#client.destroy();
  };
}

/**
 * Ends the connection of a client that does not read why it has no WebSocket, or then stays.
 *
 * Node's own handling of its time-outs ends with the request to upgrade.
 */
export function endIfUnread(client: Socket, response: ServerResponse): void {
  client.on("timeout", () => {
    const isWaiting = response.writableEnded || client.writableLength > 0;
    if (response.headersSent && isWaiting) client.destroy();
  });
}
