/** Calls whose message doesn't arrive, and answers that nobody takes. */
import { afterDelay, afterTurn } from "spillway/support";
import { GrpcError, STATUS } from "./status.ts";

/** What waits for its message. */
export type Unread = {
  /** Whether its message is there, or is not waited for any more. */
  readonly isRead: boolean;
  /** Is called once, where that isn't so when the turn is over in which the call came. */
  wait(): void;
  fail(error: GrpcError): void;
};

/** Milliseconds between two rounds. A message has from one to two of them to arrive. */
const PAUSE = 10_000;

const LATE = new GrpcError(STATUS.DEADLINE_EXCEEDED, "the message took too long to arrive");

/**
 * One timer for all calls. Most messages come with their calls: only those that don't are kept, and
 * only until they are there.
 */
export class Overdue {
  /** Those that came in this turn of the event loop. */
  #arrived: Unread[] = [];
  /** Those that came since the last round, and those that were there before it. */
  #fresh = new Set<Unread>();
  #waiting: Set<Unread> = new Set();
  #cancel: (() => void) | undefined;

  /** Fails a call unless it is read in time. */
  watch(call: Unread): void {
    if (this.#arrived.push(call) === 1) afterTurn(() => this.#keepUnread());
  }

  /** The message of a call is there, or is not waited for any more. */
  read(call: Unread): void {
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
