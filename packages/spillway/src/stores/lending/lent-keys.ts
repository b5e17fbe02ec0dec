import { ownText } from "../../internal/index.ts";
import type { Budget } from "../../limits/core/index.ts";
import { ByBudget } from "./by-budget.ts";
import { LentKey } from "./lent-key.ts";
import type { Reading } from "./readings.ts";

/** Keys that have been used since they were checked are passed over, so many at once. */
const MOST_PASSED = 8;

/** The keys of which units may be held here: a bounded number, those in use before the others. */
export class LentKeys {
  readonly #most: number;
  readonly #byBudget = new ByBudget<LentKey>();
  /** All of them; the one that has been here for longest is the first. */
  readonly #all = new Set<LentKey>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): IterableIterator<LentKey> {
    return this.#all.values();
  }

  find(budget: Budget): LentKey | undefined {
    return this.#byBudget.find(budget);
  }

  /** Adds a key. Where there are too many, `drop` is called with one that is to go. */
  add({ plan, key }: Budget, now: Reading, drop: (key: LentKey) => void): LentKey {
    // It stays: what was asked is not kept with it.
    const budget = { plan, key: ownText(key) };
    const made = new LentKey(budget, now);
    this.#byBudget.add(budget, made);
    this.#all.add(made);
    if (this.#all.size > this.#most) drop(this.#leastUsed());
    return made;
  }

  remove(key: LentKey): void {
    this.#all.delete(key);
    this.#byBudget.remove(key.budget);
  }

  /** One of the oldest, which has not been asked for since it was passed over, if there is one. */
  #leastUsed(): LentKey {
    const oldest = this.#all.values();
    for (let passed = 0; passed < MOST_PASSED; passed++) {
      const key = oldest.next().value as LentKey;
      if (key.asks === key.passedAt) return key;
      key.passedAt = key.asks;
      this.#all.delete(key);
      this.#all.add(key);
    }
    return this.#all.values().next().value as LentKey;
  }
}
