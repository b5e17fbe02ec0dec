/** Plays setups in a worker, one at a time; of those that wait, only the latest. */
import type { Message, Order } from "./messages.ts";

export type Receiver<Answer> = {
  /** Receives the answers to a setup. */
  receive(answer: Answer): void;
  /** Receives why a setup could not be played. The next one is played by a new worker. */
  fail(problem: string): void;
};

export class Player<Setup, Answer> {
  readonly #start: () => Worker;
  readonly #receiver: Receiver<Answer>;
  #worker: Worker | undefined;
  /** The number of the setup that is played. */
  #number = 0;
  /** Whether it has no answer yet. Later answers give way to the next setup. */
  #busy = false;
  #waiting: Setup | undefined;

  constructor(start: () => Worker, receiver: Receiver<Answer>) {
    this.#start = start;
    this.#receiver = receiver;
  }

  play(setup: Setup): void {
    this.#waiting = this.#busy ? setup : undefined;
    if (this.#busy) return;
    this.#busy = true;
    try {
      this.#worker ??= this.#started();
      const order: Order<Setup> = { number: ++this.#number, setup };
      this.#worker.postMessage(order);
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** Ends the worker. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#waiting = undefined;
    this.#busy = false;
  }

  #started(): Worker {
    const worker = this.#start();
    worker.onmessage = ({ data }: MessageEvent<Message<Answer>>) => this.#take(data);
    // Without a message if the worker's file could not be loaded.
    worker.onerror = ({ message }) => this.#fail(message || "the worker could not be loaded");
    worker.onmessageerror = () => this.#fail("the answer of the worker could not be read");
    return worker;
  }

  #take(message: Message<Answer>): void {
    if (message.number !== this.#number) return;
    if ("problem" in message) {
      this.#fail(message.problem);
      return;
    }
    this.#busy = false;
    this.#receiver.receive(message.answer);
    if (this.#waiting !== undefined) this.play(this.#waiting);
  }

  #fail(problem: string): void {
    const waiting = this.#waiting;
    this.close();
    this.#receiver.fail(problem);
    if (waiting !== undefined) this.play(waiting);
  }
}
