import { elapsed } from "../../limits/core/index.ts";

/** The most rows to remember; those that were added first go first. */
const MOST = 10_000;

/**
 * Rows that another transaction has locked for longer than the lock timeout. Requests for one fail at
 * once. One request in each pause tries whether the row is free. Otherwise all requests for it would wait
 * for it, on every connection of the pool, and keep others from being served.
 */
export class LockedRows {
  readonly #pause: number;
  /** The instant until which each is not requested. */
  readonly #until = new Map<string, number>();

  /** @param pause Milliseconds between two tries. */
  constructor(pause: number) {
    this.#pause = pause;
  }

  /** Whether a request for these has to fail. If not, it is the one that tries. */
  includes(ids: readonly string[]): boolean {
    const now = elapsed();
    if (ids.some((id) => (this.#until.get(id) ?? 0) > now)) return true;
    for (const id of ids) if (this.#until.has(id)) this.#until.set(id, now + this.#pause);
    return false;
  }

  /** Adds rows whose lock timeout has passed. */
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
