/** Fails calls whose message does not arrive in time, and answers that are not read in time. */
import { afterDelay, afterTurn } from "spillway/support";
import { GrpcError, STATUS } from "./status.ts";

/** A call that waits for its message, or an answer that waits for its reader. */
export type AwaitedMessage = {
  /**
   * Whether the wait is over: the message has arrived, the answer was read, or neither matters any
   * more.
   */
  readonly isRead: boolean;
  /** Called once, if the wait is not over at the end of the turn in which it began. */
  wait(): void;
  fail(error: GrpcError): void;
};

/** Milliseconds between two rounds. Each wait lasts from one to two rounds. */
const PAUSE = 10_000;

const LATE = new GrpcError(STATUS.DEADLINE_EXCEEDED, "the message took too long to arrive");

/**
 * Uses one timer for all calls. Most messages arrive with their call; only the others are kept, and
 * only until they arrive.
 */
export class Overdue {
  /** The calls that began in this turn of the event loop. */
  #arrived: AwaitedMessage[] = [];
  /** The calls that began since the last round, and those that were there before it. */
  #fresh = new Set<AwaitedMessage>();
  #waiting: Set<AwaitedMessage> = new Set();
  #cancel: (() => void) | undefined;

  /** Fails a call unless its message arrives in time. */
  watch(call: AwaitedMessage): void {
    if (this.#arrived.push(call) === 1) afterTurn(() => this.#keepUnread());
  }

  /** Stops watching a call: its message has arrived, or is no longer needed. */
  read(call: AwaitedMessage): void {
    if (!this.#fresh.delete(call)) this.#waiting.delete(call);
  }

  close(): void {
    this.#cancel?.();
  }

  #keepUnread(): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    for (const call of arrived) {
      if (call.isRead) continue;
      this.#fresh.add(call);
      call.wait();
    }
    if (this.#fresh.size > 0) this.#cancel ??= afterDelay(PAUSE, () => this.#round());
  }

  #round(): void {
    for (const call of [...this.#waiting]) call.fail(LATE);
    this.#waiting = this.#fresh;
    this.#fresh = new Set();
    this.#cancel = this.#waiting.size === 0 ? undefined : afterDelay(PAUSE, () => this.#round());
  }
}
