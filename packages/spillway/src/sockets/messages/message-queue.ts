/** Queues the messages of one connection until they have their units. */

import { isPromised, type MaybePromise, quietly, stopper } from "../../internal/index.ts";
import { afterTurn, type Decision, type Scheduler } from "../../limits/core/index.ts";
import { take } from "../take.ts";

/** The parts that a message queue is built from. */
export type MessageQueueParts = {
  ask(size: number): MaybePromise<Decision>;
  /** The longest wait of a message from when it was received, in milliseconds. */
  readonly wait: number;
  readonly scheduler: Scheduler;
  readonly socket: { pause(): unknown; resume(): unknown };
  /** Receives a refusal. Returns whether the message is passed on all the same. */
  refused(decision: Decision): boolean;
  failed(error: unknown): void;
};

type QueuedSocketMessage = {
  readonly size: number;
  readonly pass: () => void;
  /** When it was received, by the scheduler's clock. */
  readonly since: number;
};

/**
 * The maximum number of messages that wait. One chunk can contain further messages after reading
 * has stopped.
 */
const MOST_HELD = 10_000;

/** Passes messages on in the order in which they arrived. Stops reading while one of them waits. */
export class MessageQueue {
  readonly #parts: MessageQueueParts;
  readonly #stopper = stopper();
  readonly #held: QueuedSocketMessage[] = [];
  #isWaiting = false;
  /** Called after all received messages have been passed on. */
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

  /** Called when no more messages arrive: passes on those that wait, then calls `pass`. */
  finish(pass: () => void): void {
    if (this.#isWaiting && !this.#isOver) {
      this.#last = pass;
      return;
    }
    this.end();
    pass();
  }

  /** Drops all messages. The listeners receive no more. */
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

  /** Takes the units of a message. Returns undefined if that failed. */
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

  /** Waits for this message, then for those that have arrived in the meantime. */
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
      // An error of the program's listener is thrown where it would be without a wait.
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
