/** A counter of one key. Counters with the same count share a bucket. */
type Counter<T> = {
  readonly id: string;
  readonly item: T;
  /** The excess that the count may have. */
  readonly error: number;
  /** How many of the counted calls were marked. */
  marked: number;
  bucket: Bucket<T>;
};

/** The counters of one count, and the neighbouring buckets. */
type Bucket<T> = {
  readonly count: number;
  readonly counters: Set<Counter<T>>;
  lower: Bucket<T> | undefined;
  higher: Bucket<T> | undefined;
};

/** A counted item. Its true count is from `count - error` to `count`. */
export type Counted<T> = {
  readonly id: string;
  readonly item: T;
  readonly count: number;
  readonly error: number;
  readonly marked: number;
};

/**
 * Counts the most frequent items of a stream in bounded memory: the algorithm Space-Saving of
 * Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data
 * Streams", ICDT 2005.
 *
 * There are `m` counters. An item without one takes the place of an item with the least count, and
 * goes on from that count, which is its `error`. So after `n` items each error is at most n / m
 * (their lemma 3.3), and every item counted more often than n / m has a counter (theorem 3.6).
 * Adding takes constant time: counters are kept in buckets by count.
 *
 * To add an item, call `add`; if that returns false, call `begin` and `add` again.
 */
export class SpaceSaving<T> {
  readonly #most: number;
  readonly #counters = new Map<string, Counter<T>>();
  /** The bucket of the least count. */
  #least: Bucket<T> | undefined;
  #total = 0;

  /** @param most The number of counters, `m`. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The number of all added items, `n`. */
  get total(): number {
    return this.#total;
  }

  /** The highest count that an item without a counter may have: at most n / m. */
  get leastCount(): number {
    return this.#counters.size < this.#most ? 0 : (this.#least?.count ?? 0);
  }

  /** Adds one of an item that has a counter. Returns whether it has one. */
  add(id: string, isMarked: boolean): boolean {
    const known = this.#counters.get(id);
    if (known === undefined) return false;
    this.#total++;
    this.#raise(known);
    if (isMarked) known.marked++;
    return true;
  }

  /** Gives an item a counter that has none: a new one, or the place of a least frequent item. */
  begin(id: string, item: T): void {
    const bucket = this.#counters.size < this.#most ? this.#bucketOfNone() : this.#freePlace();
    const counter = { id, item, error: bucket.count, marked: 0, bucket };
    bucket.counters.add(counter);
    this.#counters.set(id, counter);
  }

  /** Returns all counted items, the most frequent first. */
  items(): readonly Counted<T>[] {
    return [...this.#counters.values()]
      .map(({ id, item, error, marked, bucket }) => ({
        id,
        item,
        error,
        marked,
        count: bucket.count,
      }))
      .sort((one, other) => other.count - one.count);
  }

  #bucketOfNone(): Bucket<T> {
    if (this.#least?.count === 0) return this.#least;
    const counters = new Set<Counter<T>>();
    const bucket = { count: 0, counters, lower: undefined, higher: this.#least };
    if (this.#least !== undefined) this.#least.lower = bucket;
    this.#least = bucket;
    return bucket;
  }

  #freePlace(): Bucket<T> {
    const least = this.#least as Bucket<T>;
    const [oldest] = least.counters;
    least.counters.delete(oldest as Counter<T>);
    this.#counters.delete((oldest as Counter<T>).id);
    return least;
  }

  /** Moves a counter to the bucket of the next count. */
  #raise(counter: Counter<T>): void {
    const { bucket } = counter;
    const next = this.#bucketAfter(bucket);
    bucket.counters.delete(counter);
    next.counters.add(counter);
    counter.bucket = next;
    if (bucket.counters.size === 0) this.#remove(bucket);
  }

  #bucketAfter(bucket: Bucket<T>): Bucket<T> {
    const { count, higher } = bucket;
    if (higher?.count === count + 1) return higher;
    const added = { count: count + 1, counters: new Set<Counter<T>>(), lower: bucket, higher };
    if (higher !== undefined) higher.lower = added;
    bucket.higher = added;
    return added;
  }

  #remove({ lower, higher }: Bucket<T>): void {
    if (lower === undefined) this.#least = higher;
    else lower.higher = higher;
    if (higher !== undefined) higher.lower = lower;
  }
}
