/** Bounds how much is decided in one turn of the event loop. */
import { afterTurn } from "spillway/support";
import { RoundRobinQueue } from "./round-robin-queue.ts";

/** A request that waits until it may be decided. */
export type QueuedMessage = {
  /** Its size in bytes; 0 if it has ended. */
  readonly size: number;
  /** Decides the request, unless it has ended. It must not throw. */
  proceed(): void;
};

/**
 * The maximum number of bytes of messages in one turn, not counting the last message: some
 * milliseconds of work.
 */
const MOST = 16 * 1024;

/**
 * Messages are decided on arrival until a turn of the event loop has had too many bytes. Then they
 * wait for later turns, one connection after the other, so that other work can run.
 */
export class MessageScheduler {
  readonly #waiting = new RoundRobinQueue<QueuedMessage>();
  #left = MOST;
  #isCounting = false;

  /** Returns whether a message of this size may be decided now. If so, counts its bytes. */
  admit(size: number): boolean {
    if (this.#left <= 0 || !this.#waiting.isEmpty) return false;
    this.#spend(size);
    return true;
  }

  /** Queues a request until it is its connection's turn. */
  add(connection: object, waiting: QueuedMessage): void {
    this.#waiting.add(connection, waiting);
    this.#count();
  }

  #spend(size: number): void {
    this.#left -= size;
    this.#count();
  }

  #count(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    afterTurn(this.#next);
  }

  readonly #next = (): void => {
    this.#left = MOST;
    this.#isCounting = false;
    while (this.#left > 0) {
      const waiting = this.#waiting.next();
      if (waiting === undefined) return;
      this.#spend(waiting.size);
      waiting.proceed();
    }
  };
}
