import type { SimulatedConnection } from "./connection.ts";
import type { Cpu } from "./cpu.ts";
import type { EventLoop } from "./event-loop.ts";
import { Fifo } from "./fifo.ts";

export type ListenerParts = {
  readonly loop: EventLoop;
  readonly cpu: Cpu;
  /** CPU time in ms to accept a connection. */
  readonly acceptCost: number;
  /** How many connections wait to be accepted at most. */
  readonly backlog: number;
};

/**
 * A listening socket: connections wait in its queue, open for their clients, until it accepts them.
 *
 * The event loop accepts one in each of its turns, as that of Node does (libuv from 1.45 on).
 */
export class SimulatedListener {
  readonly #parts: ListenerParts;
  readonly #queue = new Fifo<SimulatedConnection>();
  #isReadable = false;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  /** Puts a connection into the queue; false where that is full: then nobody hears of it. */
  connect(connection: SimulatedConnection): boolean {
    if (this.#queue.size >= this.#parts.backlog) return false;
    this.#queue.add(connection);
    this.#poll();
    return true;
  }

  /** In the next turn one is accepted, if any waits. */
  #poll(): void {
    if (this.#isReadable || this.#queue.size === 0) return;
    this.#isReadable = true;
    this.#parts.loop.deliver(() => this.#accept());
  }

  #accept(): void {
    const { cpu, acceptCost } = this.#parts;
    const connection = this.#queue.take();
    this.#isReadable = false;
    // Before the connection: in a turn the listening socket comes before those that it accepted.
    this.#poll();
    cpu.run({ what: "accept", ms: acceptCost });
    connection?.accept();
  }
}
