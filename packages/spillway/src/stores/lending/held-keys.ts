import { ownText } from "../../internal/index.ts";
import type { Budget, Plan, Scheduler } from "../../limits/core/index.ts";

/** Milliseconds between two checks. */
const PERIOD = 1000;

/** Copies a budget to be kept, without the rest of the request that it came with. */
export function ownBudget({ plan, key, settings, alignedWith }: Budget): Budget {
  const budget = { plan, key: ownText(key), settings };
  if (alignedWith === undefined) return budget;
  return { ...budget, alignedWith: { limit: alignedWith.limit, key: ownText(alignedWith.key) } };
}

type BudgetName = Pick<Budget, "plan" | "key">;
type KeysOfPlan<K> = Map<string | undefined, K>;

/** The parts and callbacks of a table of keys. */
export type HeldKeysSettings = {
  readonly scheduler: Pick<Scheduler, "afterDelay">;
  /** Called once a second, by one timer, while there are keys. */
  readonly check: () => void;
};

/**
 * The keys with units held here. The same key under another definition of its limit counts as
 * another key.
 */
export class HeldKeys<K extends { readonly budget: BudgetName }> {
  readonly #settings: HeldKeysSettings;
  readonly #plans = new Map<Plan, KeysOfPlan<K>>();
  /** All keys, the oldest first. */
  readonly #all = new Set<K>();
  /** The keys of the plan used last, as a cache. */
  #last: KeysOfPlan<K> | undefined;
  #lastPlan: Plan | undefined;
  #isWaiting = false;

  constructor(settings: HeldKeysSettings) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): IterableIterator<K> {
    return this.#all.values();
  }

  find({ plan, key }: BudgetName): K | undefined {
    if (plan !== this.#lastPlan) {
      this.#last = this.#plans.get(plan);
      this.#lastPlan = plan;
    }
    return this.#last?.get(key);
  }

  /** Returns the same key of the same limit under each definition. */
  underAll({ plan: { limit }, key }: BudgetName): readonly K[] {
    return [...this.#plans].flatMap(([plan, ofPlan]) => {
      const one = plan.limit === limit ? ofPlan.get(key) : undefined;
      return one === undefined ? [] : [one];
    });
  }

  /** Adds a key that is not in the table. */
  add(one: K): void {
    const { plan, key } = one.budget;
    const ofPlan = this.#plans.get(plan) ?? new Map();
    this.#plans.set(plan, ofPlan.set(key, one));
    this.#lastPlan = undefined;
    this.#all.add(one);
    this.#wait();
  }

  remove(one: K): void {
    if (!this.#all.delete(one)) return;
    const { plan, key } = one.budget;
    const ofPlan = this.#plans.get(plan);
    ofPlan?.delete(key);
    if (ofPlan?.size !== 0) return;
    this.#plans.delete(plan);
    this.#lastPlan = undefined;
  }

  /**
   * Returns the key to evict. Skips up to `most` keys in use, and moves those to the end of the
   * order.
   */
  leastUsed(most: number, isUsed: (one: K) => boolean): K {
    for (let passed = 0; passed < most; passed++) {
      const oldest = this.#oldest();
      if (!isUsed(oldest)) return oldest;
      this.#all.delete(oldest);
      this.#all.add(oldest);
    }
    return this.#oldest();
  }

  #oldest(): K {
    return this.#all.values().next().value as K;
  }

  #wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#settings.scheduler.afterDelay(PERIOD, () => {
      this.#isWaiting = false;
      this.#settings.check();
      if (this.size > 0) this.#wait();
    });
  }
}
