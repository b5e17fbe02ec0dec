import { ownText } from "./own-text.ts";

/**
 * A map of bounded size, ordered by when entries were set. The oldest entry is evicted first.
 *
 * One iterator is kept to find the oldest entry. A new iterator each time would have to skip all
 * deleted entries, whose number grows.
 */
export class RecentMap<K, V> {
  readonly #most: number;
  readonly #entries = new Map<K, V>();
  readonly #oldest = this.#entries.keys();

  /** @param most The maximum number of entries, 0 or more. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /**
   * Sets an entry, which becomes the newest. If there are too many entries, evicts the oldest and
   * returns its key.
   */
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
