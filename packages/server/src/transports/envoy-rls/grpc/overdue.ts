/** Calls whose message doesn't arrive. */
import { afterDelay } from "spillway/core";
import type { Call } from "./call.ts";
import { GrpcError, STATUS } from "./status.ts";

/** Milliseconds between two looks. A message has from one to two of them to arrive. */
const PAUSE = 10_000;

const LATE = new GrpcError(STATUS.DEADLINE_EXCEEDED, "the message took too long to arrive");

/** One timer for all calls: most have their message with their headers, and none is waited for. */
export class Overdue {
  #fresh: Call[] = [];
  #waiting: readonly Call[] = [];
  #cancel: (() => void) | undefined;

  /** Fails a call whose message is not there in time. */
  watch(call: Call): void {
    this.#fresh.push(call);
    this.#cancel ??= afterDelay(PAUSE, () => this.#look());
    if (this.#fresh.length > MANY) this.#fresh = this.#fresh.filter(isUnread);
  }

  close(): void {
    this.#cancel?.();
  }

  #look(): void {
    for (const call of this.#waiting) if (isUnread(call)) call.fail(LATE);
    this.#waiting = this.#fresh.filter(isUnread);
    this.#fresh = [];
    this.#cancel = this.#waiting.length === 0 ? undefined : afterDelay(PAUSE, () => this.#look());
  }
}

const MANY = 100_000;

function isUnread({ isRead }: Call): boolean {
  return !isRead;
}
