import { type ServerSide, SimulatedConnection } from "./connection.ts";
import type { SimulatedListener } from "./listener.ts";
import type { ConnectionUse } from "./traffic.ts";
import type { VirtualTime } from "./virtual-time.ts";

/**
 * The first wait until a connection that found the queue full is tried again, in milliseconds. Each
 * further wait is twice as long.
 */
const TRY_AGAIN = 1000;

type ConnectionsParts = ServerSide & {
  readonly time: VirtualTime;
  readonly listener: SimulatedListener;
};

type ConnectRetry = { readonly connection: SimulatedConnection; readonly wait: number };

/** The connections of all clients to the process. */
export class SimulatedConnections {
  readonly #parts: ConnectionsParts;
  readonly #idle: SimulatedConnection[] = [];
  /** Connections that the process does not know of yet, because its queue was full. */
  readonly #unheard = new Set<SimulatedConnection>();

  constructor(parts: ConnectionsParts) {
    this.#parts = parts;
  }

  /** Returns a connection without a request: the one last used, or a new one. */
  take(use: ConnectionUse): SimulatedConnection {
    if (use === "kept") return new SimulatedConnection(this.#parts, { isAccepted: true });
    const last = use === "pooled" ? this.#idle.pop() : undefined;
    if (last !== undefined) return last;
    const connection = new SimulatedConnection(this.#parts, { isAccepted: false });
    this.#connect({ connection, wait: TRY_AGAIN });
    return connection;
  }

  /** Called when the response on a connection has ended. */
  release(connection: SimulatedConnection, use: ConnectionUse): void {
    connection.finish();
    if (connection.isClosed || use === "kept") return;
    if (use === "pooled") this.#idle.push(connection);
    else connection.close();
  }

  /**
   * Closes a connection from the client's side. Returns false if the process will never know of it.
   */
  close(connection: SimulatedConnection): boolean {
    connection.close();
    return !this.#unheard.delete(connection);
  }

  /** Opens a connection. If the queue is full it is tried again later, as Linux does. */
  #connect({ connection, wait }: ConnectRetry): void {
    const { time, listener } = this.#parts;
    this.#unheard.delete(connection);
    if (connection.isClosed || listener.connect(connection)) return;
    this.#unheard.add(connection);
    const call = () => this.#connect({ connection, wait: 2 * wait });
    time.plan({ at: time.now + wait, call });
  }
}
