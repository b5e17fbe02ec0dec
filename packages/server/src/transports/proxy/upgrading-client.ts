/** A client until it has its WebSocket, or is refused one: what it sends, and whether it goes. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterDelay, elapsed } from "spillway/support";
import { afterUnlessClosed } from "../intake/index.ts";

/** How much is kept at most of what arrives after the request, up to one chunk more. */
const MOST = 65_536;

const NONE = Buffer.alloc(0);

type UpgradingParts = {
  readonly client: Socket;
  /** Is sent if there is no WebSocket. */
  readonly response: ServerResponse;
  /** The bytes that came with the request. */
  readonly head: Buffer;
  /** How long a client may read nothing of the response, or stay after it, in milliseconds. */
  readonly writeTimeout: number;
};

/**
 * Reads from the client meanwhile, because one that goes is only noticed by reading.
 *
 * Clients should send nothing before their response (RFC 6455, 4.1). What they send is kept for the
 * WebSocket. One that has sent too much is read no further until it is refused.
 *
 * A client that is refused has to read the response, and to go then. Its "timeout" would not show
 * that it does: a client puts that off by a byte now and then.
 */
export class UpgradingClient {
  readonly #parts: UpgradingParts;
  /** All that has arrived, in one piece: chunks of a single byte take much more memory. */
  #early = NONE;
  #length = 0;
  /** The bytes of the connection at the last look that found progress, and when that was. */
  #written = 0;
  #since = 0;
  #cancelLook = () => {};

  constructor(parts: UpgradingParts) {
    const { client, response } = parts;
    this.#parts = parts;
    response.assignSocket(client);
    response.once("finish", this.#refused);
    client.on("data", this.#receive);
    client.once("end", this.#gone);
    client.once("close", this.#lookNoMore);
    this.#lookLater();
  }

  /** Gives the client up to its WebSocket: reads no further. Returns what has been read. */
  open(): Buffer {
    const { client, response, head } = this.#parts;
    response.detachSocket(client);
    this.#lookNoMore();
    client.off("close", this.#lookNoMore);
    client.off("data", this.#receive);
    client.off("end", this.#gone);
    client.pause();
    return Buffer.concat([head, this.#early.subarray(0, this.#length)]);
  }

  readonly #receive = (chunk: Buffer): void => {
    if (this.#parts.response.headersSent) return;
    if (this.#length + chunk.length >= MOST) {
      this.#readNoFurther(chunk);
      return;
    }
    if (this.#early === NONE) this.#early = Buffer.allocUnsafeSlow(MOST);
    this.#length += chunk.copy(this.#early, this.#length);
  };

  /** A paused socket reads on until its own buffer is full, so all is put back into that. */
  #readNoFurther(chunk: Buffer): void {
    const { client } = this.#parts;
    client.pause();
    client.unshift(Buffer.concat([this.#early.subarray(0, this.#length), chunk]));
    this.#forget();
  }

  #forget(): void {
    this.#early = NONE;
    this.#length = 0;
  }

  /** A client that has closed its side can't use a WebSocket. */
  readonly #gone = (): void => {
    this.#parts.client.destroy();
  };

  #lookLater(): void {
    this.#cancelLook = afterDelay(this.#parts.writeTimeout / 2, () => {
      if (this.#parts.client.destroyed) return;
      if (this.#parts.response.headersSent) this.#lookAtReader();
      this.#lookLater();
    });
  }

  readonly #lookNoMore = (): void => {
    this.#cancelLook();
  };

  /** Ends the connection of a client that reads nothing of a long response. */
  #lookAtReader(): void {
    const { client, writeTimeout } = this.#parts;
    this.#drop();
    const { bytesWritten } = client;
    if (client.writableLength === 0 || bytesWritten !== this.#written) {
      this.#written = bytesWritten;
      this.#since = elapsed();
    } else if (elapsed() - this.#since >= writeTimeout) client.destroy();
  }

  /** All of the response has left. The client does not keep the connection by what it sends. */
  readonly #refused = (): void => {
    const { client, writeTimeout } = this.#parts;
    this.#lookNoMore();
    this.#drop();
    client.end();
    afterUnlessClosed(client, writeTimeout, this.#gone);
  };

  /** Bytes that are not read would cause a reset, which may overtake the response. */
  #drop(): void {
    this.#forget();
    this.#parts.client.resume();
  }
}
