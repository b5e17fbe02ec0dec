/** Counters that are as cheap as possible, because they run for every request. */
import type { LabelledHistogram, Labels, Sample } from "./series.ts";

/** Returns the value of a key, and creates it if it is missing. */
export function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** The number of observations in each bucket. */
export class Buckets {
  readonly counts: number[];
  sum = 0;
  readonly #bounds: readonly number[];

  /** @param bounds Upper bounds, in ascending order. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Array(bounds.length + 1).fill(0);
  }

  add(value: number): void {
    const bounds = this.#bounds;
    let place = 0;
    while (place < bounds.length && value > (bounds[place] as number)) place++;
    (this.counts[place] as number)++;
    this.sum += value;
  }

  read(labels: Labels): LabelledHistogram {
    return { labels, counts: [...this.counts], sum: this.sum };
  }
}

/** Counts by one or two labels. The caller bounds the number of labels. */
export class LabelledCounter {
  readonly #names: readonly [string, string?];
  readonly #counts = new Map<string, Map<string, number>>();

  constructor(...names: readonly [string, string?]) {
    this.#names = names;
  }

  add(first: string, second = "", value = 1): void {
    const inner = entryOf(this.#counts, first, () => new Map<string, number>());
    inner.set(second, (inner.get(second) ?? 0) + value);
  }

  /** Forgets all labels except those whose first part is kept. */
  keep(isKept: (first: string) => boolean): void {
    for (const first of this.#counts.keys()) if (!isKept(first)) this.#counts.delete(first);
  }

  *read(): Iterable<Sample> {
    const [one, other] = this.#names;
    for (const [first, inner] of this.#counts) {
      for (const [second, value] of inner) {
        const labels = other === undefined ? { [one]: first } : { [one]: first, [other]: second };
        yield { labels, value };
      }
    }
  }
}
