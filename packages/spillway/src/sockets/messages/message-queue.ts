/** Messages of one connection, each of which needs its units before it is passed on. */

import { isPromised, type MaybePromise, quietly, stopper } from "../../internal/index.ts";
import { afterTurn, type Decision, type Scheduler } from "../../limits/core/index.ts";
import { take } from "../take.ts";

/** What a queue works with. */
export type MessageQueueParts = {
  ask(size: number): MaybePromise<Decision>;
  /** Milliseconds that a message waits at most, from when it was received. */
  readonly wait: number;
  readonly scheduler: Scheduler;
  readonly socket: { pause(): unknown; resume(): unknown };
  /** Whether a message is passed on all the same. */
  refused(decision: Decision): boolean;
  failed(error: unknown): void;
};

type QueuedSocketMessage = {
  readonly size: number;
  readonly pass: () => void;
  /** When it was received, by the scheduler. */
  readonly since: number;
};

/** Of one chunk that was read, more messages may come after reading has stopped. */
const MOST_HELD = 10_000;

/** Passes messages on in the order in which they came, and stops reading while one of them waits. */
export class MessageQueue {
  readonly #parts: MessageQueueParts;
  readonly #stopper = stopper();
  readonly #held: QueuedSocketMessage[] = [];
  #isWaiting = false;
  /** What is passed on once all that was received has been. */
  #last: (() => void) | undefined;

  constructor(parts: MessageQueueParts) {
    this.#parts = parts;
  }

  get #isOver(): boolean {
    return this.#stopper.signal.aborted;
  }

  enter(size: number, pass: () => void): void {
    if (this.#isOver) return;
    const message = { size, pass, since: this.#parts.scheduler.elapsed() };
    if (this.#isWaiting) this.#hold(message);
    else this.#enter(message);
  }

  /** Nothing more comes: passes on what waits, and then that. */
  finish(pass: () => void): void {
    if (this.#isWaiting && !this.#isOver) {
      this.#last = pass;
      return;
    }
    this.end();
    pass();
  }

  /** Nobody receives anything any more. */
  end(): void {
    this.#held.length = 0;
    this.#stopper.stop(undefined);
  }

  #hold(message: QueuedSocketMessage): void {
    this.#held.push(message);
    if (this.#held.length > MOST_HELD) this.#fail(new Error("too many messages wait"));
  }

  #enter(message: QueuedSocketMessage): void {
    const answer = this.#take(message);
    if (answer === undefined) return;
    if (isPromised(answer)) void this.#waitFor(message, answer);
    else if (this.#isAdmitted(answer)) message.pass();
  }

  /** Undefined where it failed. */
  #take({ size, since }: QueuedSocketMessage): MaybePromise<Decision> | undefined {
    const { ask, scheduler } = this.#parts;
    const wait = this.#parts.wait - (scheduler.elapsed() - since);
    try {
      return take(() => ask(size), { wait, scheduler, signal: this.#stopper.signal });
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  /** That one, and then those that have come in the meantime. */
  async #waitFor(first: QueuedSocketMessage, answer: MaybePromise<Decision>): Promise<void> {
    const { socket } = this.#parts;
    this.#isWaiting = true;
    quietly(() => socket.pause());
    try {
      await this.#pass(first, answer);
      for (let next = this.#held.shift(); next !== undefined; next = this.#held.shift()) {
        const taken = this.#take(next);
        if (taken !== undefined) await this.#pass(next, taken);
      }
    } catch (error) {
      if (!this.#isOver) this.#fail(error);
    }
    this.#isWaiting = false;
    quietly(() => socket.resume());
    if (this.#last !== undefined) this.finish(this.#last);
  }

  async #pass({ pass }: QueuedSocketMessage, answer: MaybePromise<Decision>): Promise<void> {
    const decision = await answer;
    if (this.#isOver || !this.#isAdmitted(decision)) return;
    try {
      pass();
    } catch (error) {
      // The program's own: where it would have gone, had the message come at once.
      afterTurn(() => {
        throw error;
      });
    }
  }

  #isAdmitted(decision: Decision): boolean {
    if (decision.ok || this.#parts.refused(decision)) return true;
    this.end();
    return false;
  }

  #fail(error: unknown): void {
    this.end();
    this.#parts.failed(error);
  }
}
