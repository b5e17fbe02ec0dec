import { RecentMap } from "./recent-map.ts";

/**
 * The maximum number of entries of a part. In a larger map, an insertion that makes it grow or
 * compact takes milliseconds.
 */
const MOST_IN_PART = 16_384;

/**
 * A map of bounded size with text keys, which evicts its oldest entries first. It consists of
 * several smaller maps.
 *
 * A runtime copies all entries of a map in one step each time it has doubled, or as many were
 * deleted. The bounded size of the parts keeps that step short.
 *
 * If there are several parts, an entry is evicted once its own part is full. This may be somewhat
 * before or after its turn in the whole map.
 */
export class RecentParts<V> {
  readonly #parts: readonly RecentMap<string, V>[];

  /** @param most The maximum number of entries, 1 or more. */
  constructor(most: number) {
    const count = Math.ceil(most / MOST_IN_PART);
    this.#parts = Array.from({ length: count }, () => new RecentMap(Math.floor(most / count)));
  }

  get(key: string): V | undefined {
    return this.#partOf(key).get(key);
  }

  set(key: string, value: V): void {
    this.#partOf(key).set(key, value);
  }

  delete(key: string): boolean {
    return this.#partOf(key).delete(key);
  }

  /**
   * Returns the part of a text, by a hash of all of it. A client that aims keys at one part only
   * shortens the memory of that part.
   */
  #partOf(key: string): RecentMap<string, V> {
    const { length } = this.#parts;
    const place = length === 1 ? 0 : hashOf(key) % length;
    return this.#parts[place] as RecentMap<string, V>;
  }
}

/**
 * Returns FNV-1a over UTF-16 units, as an unsigned 32-bit number (G. Fowler, L. C. Noll, K.-P. Vo,
 * 1991).
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // The low bits of the hash depend only on the low bits of the text.
  return (hash ^ (hash >>> 15)) >>> 0;
}
