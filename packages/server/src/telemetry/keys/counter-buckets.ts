/** A counter in a list of those with the same count. `T` is what it counts. */
export type KeyCounter<T> = {
  item: T;
  /** The excess that the count may have. */
  error: number;
  /** How many of the counted calls were marked. */
  marked: number;
  bucket: CountBucket<T>;
  before: KeyCounter<T> | undefined;
  after: KeyCounter<T> | undefined;
};

/** The counters of one count, and the neighbouring buckets. */
type CountBucket<T> = {
  count: number;
  first: KeyCounter<T> | undefined;
  lower: CountBucket<T> | undefined;
  higher: CountBucket<T> | undefined;
};

/** Counters in the order of their counts: the "stream summary" of Space-Saving. */
export class CounterBuckets<T> {
  #least: CountBucket<T> | undefined;

  /** The least count; 0 if there are no counters. */
  get leastCount(): number {
    return this.#least?.count ?? 0;
  }

  /** Returns a new counter, of none so far. */
  begin(item: T): KeyCounter<T> {
    const bucket = this.#least?.count === 0 ? this.#least : this.#insert(0, undefined);
    const links = { before: undefined, after: undefined };
    const counter = { item, error: 0, marked: 0, bucket, ...links };
    link(counter, bucket);
    return counter;
  }

  /** Returns a counter with the least count. There must be one. */
  leastCounter(): KeyCounter<T> {
    return this.#least?.first as KeyCounter<T>;
  }

  /** Adds one to a counter. A counter that is alone in its bucket takes the bucket along. */
  raise(counter: KeyCounter<T>): void {
    const { bucket } = counter;
    const { count, higher } = bucket;
    const isAlone = bucket.first === counter && counter.after === undefined;
    if (isAlone && higher?.count !== count + 1) {
      bucket.count++;
      return;
    }
    const next = higher?.count === count + 1 ? higher : this.#insert(count + 1, bucket);
    unlink(counter);
    link(counter, next);
    if (bucket.first === undefined) this.#remove(bucket);
  }

  /** Adds an empty bucket above another one, or as the lowest. */
  #insert(count: number, lower: CountBucket<T> | undefined): CountBucket<T> {
    const higher = lower === undefined ? this.#least : lower.higher;
    const bucket = { count, first: undefined, lower, higher };
    if (lower === undefined) this.#least = bucket;
    else lower.higher = bucket;
    if (higher !== undefined) higher.lower = bucket;
    return bucket;
  }

  #remove({ lower, higher }: CountBucket<T>): void {
    if (lower === undefined) this.#least = higher;
    else lower.higher = higher;
    if (higher !== undefined) higher.lower = lower;
  }
}

function link<T>(counter: KeyCounter<T>, bucket: CountBucket<T>): void {
  const { first } = bucket;
  counter.bucket = bucket;
  counter.before = undefined;
  counter.after = first;
  if (first !== undefined) first.before = counter;
  bucket.first = counter;
}

function unlink<T>({ bucket, before, after }: KeyCounter<T>): void {
  if (before === undefined) bucket.first = after;
  else before.after = after;
  if (after !== undefined) after.before = before;
}
