import { createServer, type Server, type Socket } from "node:net";
import { noFaults } from "./faults.ts";
import { LOOPBACK, listen } from "./ports.ts";
import { ProxyConnection } from "./proxy-connection.ts";
import { Repeater } from "./repeater.ts";

/**
 * Stands between a client and a server, and does what networks do at their worst.
 *
 * Faults add up until they are healed. What says "from now on" holds for connections there are, too.
 */
export class FaultyProxy implements AsyncDisposable {
  readonly #server: Server;
  #target: number;
  readonly #connections = new Set<ProxyConnection>();
  readonly #faults = noFaults();
  readonly #repeater: Repeater;
  #port = 0;

  /** Use `startProxy`. */
  constructor(target: number) {
    this.#target = target;
    this.#repeater = new Repeater(target);
    this.#server = createServer({ noDelay: true }, (client) => this.#accept(client)).unref();
  }

  async listen(): Promise<void> {
    this.#port = await listen(this.#server, 0);
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `redis://${LOOPBACK}:${this.port}`;
  }

  /** How many connections there are. */
  get connections(): number {
    return this.#connections.size;
  }

  /** From now on, each piece is late by so many milliseconds, both ways; 0 for no more delay. */
  delay(milliseconds: number): void {
    this.#faults.delay = milliseconds;
  }

  /** From now on, each connection's next answer stops in its middle, and the rest is swallowed. */
  dropHalf(): void {
    this.#faults.half = true;
  }

  /** From now on, nothing gets through; who connects is let in, and hears nothing. */
  hang(): void {
    this.#faults.hanging = true;
    for (const connection of this.#connections) connection.stall();
  }

  /** From now on, new connections are closed at once, or no longer so. Others go on. */
  refuse(refusing: boolean): void {
    this.#faults.refusing = refusing;
  }

  /**
   * From now on, one in so many script calls of those who connect arrives once more, up to a second later, over another
   * connection to Redis: also when the first one has been cut.
   */
  repeat({ every }: { readonly every: number }): void {
    this.#repeater.every = every;
    this.#faults.repeating = true;
  }

  /** How many have arrived twice. */
  get repeated(): number {
    return this.#repeater.count;
  }

  /** Closes all connections there are, now. */
  cut(): void {
    for (const connection of this.#connections) connection.cut();
  }

  /** From now on, who connects reaches another server. Connections that there are stay with theirs. */
  redirect(target: number): void {
    this.#target = target;
  }

  /** Ends all faults. A connection from which something was swallowed stays silent until it is cut. */
  heal(): void {
    Object.assign(this.#faults, noFaults());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    this.#repeater.close();
    await closed;
  }

  #accept(client: Socket): void {
    if (this.#faults.refusing) {
      client.destroy();
      return;
    }
    const connection = new ProxyConnection({
      client,
      target: this.#target,
      faults: this.#faults,
      repeater: this.#repeater,
    });
    this.#connections.add(connection);
    connection.gone.then(() => this.#connections.delete(connection));
  }
}

/** Starts a proxy for a server on this machine, at a free port. */
export async function startProxy(target: number): Promise<FaultyProxy> {
  const proxy = new FaultyProxy(target);
  await proxy.listen();
  return proxy;
}
