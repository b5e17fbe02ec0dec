/** One HTTP/1.1 connection, with one request on it at a time. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { answerOf } from "../answer.ts";
import type { OnAnswer } from "./clients.ts";

/** What the owner of a connection receives. */
export type ConnectionEvents = {
  /** The answer is complete: another request may be sent. */
  onIdle(): void;
  onClose(): void;
};

/** A request that is sent before the connection is open waits for that. */
export class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  #received = "";
  #onAnswer: OnAnswer | undefined;

  constructor(port: number, events: ConnectionEvents) {
    this.#events = events;
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (text: string) => this.#read(text));
    // What went wrong doesn't matter: a close follows.
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      events.onClose();
      this.#answer(undefined);
    });
  }

  /** @throws Error where it can't be opened */
  async opened(): Promise<void> {
    await once(this.#socket, "connect");
  }

  send(text: string, onAnswer: OnAnswer): void {
    this.#received = "";
    this.#onAnswer = onAnswer;
    this.#socket.write(text, "latin1");
  }

  close(): void {
    this.#socket.destroy();
  }

  /** A stream is answered by its head; what follows is dropped. */
  #read(text: string): void {
    if (this.#onAnswer === undefined) return;
    this.#received += text;
    const answer = answerOf(this.#received);
    if (answer === undefined) return;
    if (!answer.isStream) this.#events.onIdle();
    this.#answer(answer.status);
  }

  #answer(status: number | undefined): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    onAnswer?.(status);
  }
}
