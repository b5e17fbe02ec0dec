import type { SimulatedConnection } from "./connection.ts";
import type { Cpu } from "./cpu.ts";
import { Fifo } from "./fifo.ts";

export type ListenerParts = {
  /** Queues a callback that is due now. */
  readonly deliver: (call: () => void) => void;
  readonly cpu: Cpu;
  /** The CPU time to accept a connection, in milliseconds. */
  readonly acceptCost: number;
  /** The maximum number of connections that can wait to be accepted. */
  readonly backlog: number;
};

/**
 * A listening socket. Connections wait in its queue until it accepts them; for their clients they
 * are already open.
 *
 * It accepts one connection in each turn of the event loop, as Node does (libuv from 1.45 on).
 */
export class SimulatedListener {
  readonly #parts: ListenerParts;
  readonly #queue = new Fifo<SimulatedConnection>();
  #isReadable = false;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  /**
   * Adds a connection to the queue. Returns false if the queue is full; then the process does not
   * learn of it.
   */
  connect(connection: SimulatedConnection): boolean {
    if (this.#queue.size >= this.#parts.backlog) return false;
    this.#queue.add(connection);
    this.#poll();
    return true;
  }

  /** Accepts one connection in the next turn, if any waits. */
  #poll(): void {
    if (this.#isReadable || this.#queue.size === 0) return;
    this.#isReadable = true;
    this.#parts.deliver(() => this.#accept());
  }

  #accept(): void {
    const { cpu, acceptCost } = this.#parts;
    const connection = this.#queue.take();
    this.#isReadable = false;
    // Polls first, because in each turn the listening socket comes before the sockets that it has
    // accepted.
    this.#poll();
    cpu.run({ what: "accept", ms: acceptCost });
    connection?.accept();
  }
}
