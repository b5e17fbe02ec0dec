/** Clients that speak HTTP/1.1, by what they do with their sockets. */
import { performance } from "node:perf_hooks";
import { requestText } from "../answer.ts";
import type { Arrival } from "../arrivals.ts";
import type { Clients, Flight, OnAnswer } from "./clients.ts";
import { Connection } from "./connection.ts";

/** What becomes of a connection. */
export type Habits = {
  /** Whether another request follows an answer; otherwise, the client closes. */
  readonly reuses: boolean;
  /** Whether the client closes when it gives up; otherwise, it waits for an answer to drop. */
  readonly closes: boolean;
};

/** Connections that are opened at once: fewer than a server holds that it has not accepted yet. */
const BATCH = 100;
/** Connections at a time. */
const MOST = 4000;
/** Milliseconds after which an idle connection isn't used again: the server is about to close it. */
const STALE = 4000;

type Idle = { readonly connection: Connection; readonly since: number };

/** Opens a connection where none is idle; of the idle ones, the one used last is used first. */
export class Http1Clients implements Clients {
  readonly #port: number;
  readonly #habits: Habits;
  readonly #all = new Set<Connection>();
  readonly #idle: Idle[] = [];

  constructor(port: number, habits: Habits) {
    this.#port = port;
    this.#habits = habits;
  }

  /** @throws Error where one can't be opened */
  async open(count: number): Promise<void> {
    const goal = Math.min(count, MOST);
    while (this.#all.size < goal) {
      const left = Math.min(BATCH, goal - this.#all.size);
      const opening = Array.from({ length: left }, () => this.#grow() as Connection);
      await Promise.all(opening.map((connection) => connection.opened()));
      // A server closes what is idle after an answer, not what has had no request yet.
      for (const connection of opening) this.#idle.push({ connection, since: Infinity });
    }
  }

  send(arrival: Omit<Arrival, "due">, onAnswer: OnAnswer): Flight | undefined {
    const connection = this.#take() ?? this.#grow();
    connection?.send(requestText(arrival), (status) => {
      onAnswer(status);
    });
    return connection && { abort: () => this.#habits.closes && connection.close() };
  }

  #take(): Connection | undefined {
    const idle = this.#idle.pop();
    if (idle === undefined || performance.now() - idle.since < STALE) return idle?.connection;
    idle.connection.close();
    return this.#take();
  }

  #grow(): Connection | undefined {
    if (this.#all.size >= MOST) return undefined;
    const connection: Connection = new Connection(this.#port, {
      onIdle: () => this.#park(connection),
      onClose: () => this.#forget(connection),
    });
    this.#all.add(connection);
    return connection;
  }

  /** Its answer is complete. */
  #park(connection: Connection): void {
    if (this.#habits.reuses) this.#idle.push({ connection, since: performance.now() });
    else connection.close();
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    const index = this.#idle.findLastIndex((idle) => idle.connection === connection);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  [Symbol.dispose](): void {
    for (const connection of this.#all) connection.close();
  }
}
