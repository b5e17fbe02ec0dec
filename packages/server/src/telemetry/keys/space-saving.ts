import type { Rule } from "../../rules/index.ts";
import { CounterBuckets, type KeyCounter } from "./counter-buckets.ts";

/** A key that is asked for: a limit, and whose budget it is. */
export type AskedKey = {
  readonly rule: Pick<Rule, "name" | "path">;
  /** Undefined if the limit has one budget for all. */
  readonly key: string | undefined;
};

/** A counted key. Its true count is from `count - error` to `count`. */
export type CountedKey = AskedKey & {
  readonly count: number;
  readonly error: number;
  readonly marked: number;
};

/**
 * Counts the most frequent keys of a stream in bounded memory: the algorithm Space-Saving of
 * Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data
 * Streams", ICDT 2005.
 *
 * There are `m` counters. A key without one takes over a counter with the least count, and goes on
 * from that count, which is its `error`. So after `n` calls each error is at most n / m, and every
 * key asked for more often than n / m has a counter. A call takes constant time.
 */
export class SpaceSaving {
  readonly #most: number;
  readonly #buckets = new CounterBuckets<AskedKey>();
  /** By the limit's name, then by key: joining the two would cost more than counting. */
  readonly #counters = new Map<string, Map<string | undefined, KeyCounter<AskedKey>>>();
  #size = 0;
  #total = 0;

  /** @param most The number of counters, `m`. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The number of all calls, `n`. */
  get total(): number {
    return this.#total;
  }

  /** The highest count that a key without a counter may have: at most n / m. */
  get leastCount(): number {
    return this.#size < this.#most ? 0 : this.#buckets.leastCount;
  }

  /** Counts a call. */
  add({ rule, key }: AskedKey, isMarked: boolean): void {
    this.#total++;
    const counter = this.#counters.get(rule.name)?.get(key) ?? this.#begin({ rule, key });
    this.#buckets.raise(counter);
    if (isMarked) counter.marked++;
  }

  /** Returns all counted keys, the most frequent first. */
  keys(): readonly CountedKey[] {
    const counters = [...this.#counters.values()].flatMap((keys) => [...keys.values()]);
    return counters
      .map(({ item, error, marked, bucket }) => ({ ...item, error, marked, count: bucket.count }))
      .sort((one, other) => other.count - one.count);
  }

  /** Gives a key a counter: a new one, or one with the least count. */
  #begin(item: AskedKey): KeyCounter<AskedKey> {
    const counter = this.#size < this.#most ? this.#buckets.begin(item) : this.#takeOver(item);
    const { name } = item.rule;
    const keys = this.#counters.get(name) ?? new Map<string | undefined, KeyCounter<AskedKey>>();
    if (keys.size === 0) this.#counters.set(name, keys);
    keys.set(item.key, counter);
    this.#size++;
    return counter;
  }

  #takeOver(item: AskedKey): KeyCounter<AskedKey> {
    const counter = this.#buckets.leastCounter();
    const { rule, key } = counter.item;
    const keys = this.#counters.get(rule.name);
    keys?.delete(key);
    if (keys?.size === 0) this.#counters.delete(rule.name);
    this.#size--;
    return Object.assign(counter, { item, error: counter.bucket.count, marked: 0 });
  }
}
