import { elapsed } from "../../limits/core/index.ts";

/** The maximum number of rows to remember. If there are more, the oldest are dropped. */
const MOST = 10_000;

/**
 * Rows that another transaction has locked for longer than the lock timeout.
 *
 * Requests for such a row fail at once. One request in each pause tries whether the row is free.
 * Otherwise all requests for it would wait on every connection of the pool, and delay other
 * requests.
 */
export class LockedRows {
  readonly #pause: number;
  /** The instant until which requests for each row fail, by a monotonic clock. */
  readonly #until = new Map<string, number>();

  /** @param pause The time between two tries, in milliseconds. */
  constructor(pause: number) {
    this.#pause = pause;
  }

  /**
   * Whether a request for these rows must fail. If it returns false, that request is the one that
   * tries.
   */
  includes(ids: readonly string[]): boolean {
    const now = elapsed();
    if (ids.some((id) => (this.#until.get(id) ?? 0) > now)) return true;
    for (const id of ids) if (this.#until.has(id)) this.#until.set(id, now + this.#pause);
    return false;
  }

  /** Adds rows after their lock timeout has passed. */
  add(ids: readonly string[]): void {
    for (const id of ids) {
      this.#until.delete(id);
      this.#until.set(id, elapsed() + this.#pause);
    }
    for (const [first] of this.#until) {
      if (this.#until.size <= MOST) return;
      this.#until.delete(first);
    }
  }

  /** Removes rows that have been locked by a request of our own; returns how many are left. */
  remove(ids: readonly string[]): number {
    for (const id of ids) this.#until.delete(id);
    return this.#until.size;
  }
}
