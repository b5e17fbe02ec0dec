/** Calls whose message doesn't arrive. */
import { afterDelay } from "spillway/core";
import { GrpcError, STATUS } from "./status.ts";

/** What waits for its message. */
export type Unread = { fail(error: GrpcError): void };

/** Milliseconds between two rounds. A message has from one to two of them to arrive. */
const PAUSE = 10_000;

const LATE = new GrpcError(STATUS.DEADLINE_EXCEEDED, "the message took too long to arrive");

/** One timer for all calls. A call is known only until its message is there. */
export class Overdue {
  /** Those that came since the last round, and those that were there before it. */
  #fresh = new Set<Unread>();
  #waiting: Set<Unread> = new Set();
  #cancel: (() => void) | undefined;

  /** Fails a call unless it is read in time. */
  watch(call: Unread): void {
    this.#fresh.add(call);
    this.#cancel ??= afterDelay(PAUSE, () => this.#round());
  }

  /** The message of a call is there, or is not waited for any more. */
  read(call: Unread): void {
    if (!this.#fresh.delete(call)) this.#waiting.delete(call);
  }

  close(): void {
    this.#cancel?.();
  }

  #round(): void {
    for (const call of [...this.#waiting]) call.fail(LATE);
    this.#waiting = this.#fresh;
    this.#fresh = new Set();
    this.#cancel = this.#waiting.size === 0 ? undefined : afterDelay(PAUSE, () => this.#round());
  }
}
