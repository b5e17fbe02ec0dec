/** Connections that are kept open, one request on each at a time: nobody waits behind another. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { statusOf } from "./answer.ts";

/** Told once: the status, or `undefined` where the connection broke before there was one. */
type OnAnswer = (status: number | undefined) => void;

/** Connections that are opened at once; a server holds some hundreds that it has not seen yet. */
const BATCH = 100;

/** One connection. A request that is sent before it is open waits for that. */
class Connection {
  readonly #socket: Socket;
  #received = "";
  #onAnswer: OnAnswer | undefined;

  constructor(port: number, onClose: () => void) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (text: string) => this.#read(text));
    // What went wrong doesn't matter: a close follows.
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      onClose();
      this.#answer(undefined);
    });
  }

  /** @throws Error where it can't be opened */
  async opened(): Promise<void> {
    await once(this.#socket, "connect");
  }

  send(text: string, onAnswer: OnAnswer): void {
    this.#onAnswer = onAnswer;
    this.#socket.write(text, "latin1");
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#received += text;
    const status = statusOf(this.#received);
    if (status === undefined) return;
    this.#received = "";
    this.#answer(status);
  }

  #answer(status: number | undefined): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    onAnswer?.(status);
  }
}

/** A request on its way. */
export type Flight = {
  /** Nobody waits for it any longer: as HTTP/1.1 has it, its connection goes too. */
  abort(): void;
};

/** Connections to one server: as many as there are requests at once, up to a bound. */
export class Pool implements Disposable {
  readonly #port: number;
  readonly #most: number;
  readonly #all = new Set<Connection>();
  readonly #idle: Connection[] = [];

  constructor({ port, most = 2000 }: { readonly port: number; readonly most?: number }) {
    this.#port = port;
    this.#most = most;
  }

  /** Opens so many, or as many as there may be, before they are needed. */
  async open(count: number): Promise<void> {
    const goal = Math.min(count, this.#most);
    while (this.#all.size < goal) {
      const left = Math.min(BATCH, goal - this.#all.size);
      const opening = Array.from({ length: left }, () => this.#grow() as Connection);
      await Promise.all(opening.map((connection) => connection.opened()));
      this.#idle.push(...opening);
    }
  }

  /** Sends a request on the connection that was used last; `undefined` where there is none left. */
  send(text: string, onAnswer: OnAnswer): Flight | undefined {
    const connection = this.#idle.pop() ?? this.#grow();
    connection?.send(text, (status) => {
      if (status !== undefined) this.#idle.push(connection);
      onAnswer(status);
    });
    return connection && { abort: () => connection.close() };
  }

  #grow(): Connection | undefined {
    if (this.#all.size >= this.#most) return undefined;
    const connection = new Connection(this.#port, () => this.#forget(connection));
    this.#all.add(connection);
    return connection;
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  [Symbol.dispose](): void {
    for (const connection of this.#all) connection.close();
  }
}
