import { ownText } from "./own-text.ts";

/**
 * A map of bounded size, in the order in which its entries were set; the oldest entry goes first.
 *
 * One iterator stays in use to find the oldest. A new one for each would pass all that was deleted before it, more
 * and more of it in a map that stays full.
 */
export class RecentMap<K, V> {
  readonly #most: number;
  readonly #entries = new Map<K, V>();
  readonly #oldest = this.#entries.keys();

  /** @param most The most entries, 0 or more. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Sets an entry, which is the newest from now on; the oldest goes where there are too many. Returns its key. */
  set(key: K, value: V): K | undefined {
    this.#entries.delete(key);
    this.#entries.set(typeof key === "string" ? (ownText(key) as K & string) : key, value);
    if (this.#entries.size <= this.#most) return undefined;
    const oldest = this.#oldest.next().value as K;
    this.#entries.delete(oldest);
    return oldest;
  }

  values(): Iterable<V> {
    return this.#entries.values();
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }
}
