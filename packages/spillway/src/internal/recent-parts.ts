import { RecentMap } from "./recent-map.ts";

/** The most entries of a part: beyond, one entry that makes a map grow or tidy up takes milliseconds. */
const MOST_IN_PART = 16_384;

/**
 * A map of bounded size by text, whose oldest entries go first, of parts of bounded size: a runtime copies all entries
 * of a map in one step each time that it has doubled, or has had as many deleted.
 *
 * Where there are several parts, an entry goes once its own part is full, a little before or after the oldest of all.
 */
export class RecentParts<V> {
  readonly #parts: readonly RecentMap<string, V>[];

  /** @param most The most entries, 1 or more. */
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

  /** A part by all of the text: whoever can aim at one part shortens what is remembered there, and no more. */
  #partOf(key: string): RecentMap<string, V> {
    const { length } = this.#parts;
    const place = length === 1 ? 0 : hashOf(key) % length;
    return this.#parts[place] as RecentMap<string, V>;
  }
}

/** FNV-1a over UTF-16 units, as an unsigned number of 32 bits (G. Fowler, L. C. Noll, K.-P. Vo, 1991). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // Its low bits alone follow from those of the text.
  return (hash ^ (hash >>> 15)) >>> 0;
}
