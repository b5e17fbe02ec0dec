import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Faults } from "./faults.ts";
import { LOOPBACK } from "./ports.ts";
import type { Repeater } from "./repeater.ts";

export type Ends = {
  readonly client: Socket;
  readonly target: number;
  readonly faults: Faults;
  readonly repeater: Repeater;
};

/** One client of a proxy, and its connection to the server. */
export class ProxyConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #faults: Faults;
  #stalled: boolean;
  /** Fulfilled when both ends are closed. */
  readonly gone: Promise<unknown>;

  constructor({ client, target, faults, repeater }: Ends) {
    this.#client = client;
    this.#server = connect({ port: target, host: LOOPBACK, noDelay: true });
    this.#faults = faults;
    this.#stalled = faults.hanging;
    this.gone = Promise.all([closed(client), closed(this.#server)]);
    this.#carry(client, this.#server);
    this.#carry(this.#server, client);
    if (faults.repeating) client.on("data", repeater.listener());
  }

  /** From now on, what either end says is swallowed. What is delayed still arrives. */
  stall(): void {
    this.#stalled = true;
  }

  /** Ends it at both ends at once. */
  cut(): void {
    this.#client.destroy();
    this.#server.destroy();
  }

  #carry(from: Socket, to: Socket): void {
    let sent: Promise<unknown> = Promise.resolve();
    from.on("data", (chunk: Buffer) => {
      if (this.#stalled) return;
      const part = from === this.#server ? this.#answer(chunk) : chunk;
      // Each piece is as late as the others, and in their order even if the delay becomes less.
      sent = Promise.all([sent, this.#delay()]).then(() => to.write(part));
    });
    closed(from).then(async () => {
      // A client that waits for an answer does not learn that the server has gone either.
      if (this.#stalled && to === this.#client) return;
      await sent;
      to.destroySoon();
    });
  }

  /** What of an answer arrives. */
  #answer(chunk: Buffer): Buffer {
    if (!this.#faults.half) return chunk;
    this.stall();
    return chunk.subarray(0, chunk.length >> 1);
  }

  async #delay(): Promise<void> {
    const { delay } = this.#faults;
    if (delay > 0) await pause(delay, undefined, { ref: false });
  }
}

function closed(socket: Socket): Promise<void> {
  // Why it closed is of no interest: the other end is closed either way.
  socket.on("error", () => {});
  return new Promise((resolve) => socket.once("close", () => resolve()));
}
