import type { Budget, Plan } from "../../core/index.ts";
import { LentKey } from "./lent-key.ts";
import type { Reading } from "./readings.ts";

/** Keys that have been used since they were checked are passed over, so many at once. */
const MOST_PASSED = 8;

type OfPlan = Map<string | undefined, LentKey>;

/** The keys of which units may be held here: a bounded number, those in use before the others. */
export class LentKeys {
  readonly #most: number;
  readonly #plans = new Map<Plan, OfPlan>();
  /** All of them; the one that has been here for longest is the first. */
  readonly #all = new Set<LentKey>();
  /** The keys of the plan asked for last, at hand. */
  #last: OfPlan | undefined;
  #lastPlan: Plan | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): IterableIterator<LentKey> {
    return this.#all.values();
  }

  find({ plan, key }: Budget): LentKey | undefined {
    if (plan !== this.#lastPlan) {
      this.#last = this.#plans.get(plan);
      this.#lastPlan = plan;
    }
    return this.#last?.get(key);
  }

  /** Adds a key. Where there are too many, `drop` is called with one that is to go. */
  add(budget: Budget, now: Reading, drop: (key: LentKey) => void): LentKey {
    const made = new LentKey(budget, now);
    const ofPlan = this.#plans.get(budget.plan) ?? new Map();
    this.#plans.set(budget.plan, ofPlan.set(budget.key, made));
    this.#all.add(made);
    this.#lastPlan = undefined;
    if (this.#all.size > this.#most) drop(this.#leastUsed());
    return made;
  }

  remove(key: LentKey): void {
    const { plan, key: name } = key.budget;
    const ofPlan = this.#plans.get(plan);
    this.#all.delete(key);
    ofPlan?.delete(name);
    if (ofPlan?.size !== 0) return;
    this.#plans.delete(plan);
    this.#lastPlan = undefined;
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
