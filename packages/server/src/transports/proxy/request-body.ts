/** The body of a client's request, as a stream of its own. */
import { Readable } from "node:stream";
import { afterDelay, elapsed } from "spillway/support";
import type { ClientBody } from "./arrival.ts";

/** A body of which nothing came for too long. */
export class IdleBodyError extends Error {
  override readonly name = "IdleBodyError";
}

/**
 * Passes a body on, at the pace of its reader.
 *
 * Not the request itself, because undici destroys what it has sent: that would cut the connection
 * of a client whose upstream answers before the body has ended. A client that sends nothing for
 * `idle` milliseconds fails the body.
 */
export class RequestBody extends Readable {
  readonly #request: Readable;
  readonly #isWhole: () => boolean;
  readonly #idle: number;
  #since = elapsed();
  #cancel = () => {};

  constructor({ stream: request, isWhole }: ClientBody, idle: number) {
    super();
    this.#request = request;
    this.#isWhole = isWhole;
    this.#idle = idle;
    request.on("data", this.#pass);
    request.once("end", this.#end);
    request.once("close", this.#gone);
    request.pause();
    this.#watch(idle);
  }

  override _read(): void {
    this.#since = elapsed();
    this.#request.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#cancel();
    this.#request.off("data", this.#pass);
    this.#request.off("end", this.#end);
    this.#request.off("close", this.#gone);
    // The rest is dropped, so that the client reads its response.
    this.#request.resume();
    done(error);
  }

  readonly #pass = (chunk: Buffer): void => {
    this.#since = elapsed();
    if (!this.push(chunk)) this.#request.pause();
  };

  readonly #end = (): void => {
    this.#cancel();
    if (this.#isWhole()) this.push(null);
    else this.destroy(new Error("the client has gone"));
  };

  readonly #gone = (): void => {
    if (!this.#request.readableEnded) this.destroy(new Error("the client has gone"));
  };

  #watch(ms: number): void {
    this.#cancel = afterDelay(ms, () => {
      const left = this.#request.isPaused() ? this.#idle : this.#since + this.#idle - elapsed();
      if (left > 0) this.#watch(left);
      else this.destroy(new IdleBodyError("the client sent nothing for too long"));
    });
  }
}
