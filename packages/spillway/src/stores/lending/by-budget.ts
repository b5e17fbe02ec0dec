import type { Budget, Plan } from "../../limits/core/index.ts";

type Name = Pick<Budget, "plan" | "key">;
type OfPlan<T> = Map<string | undefined, T>;

/** Something for each key under each definition of its limit: what is held under another one is not its own. */
export class ByBudget<T> {
  readonly #plans = new Map<Plan, OfPlan<T>>();
  #size = 0;
  /** The keys of the plan asked for last, at hand. */
  #last: OfPlan<T> | undefined;
  #lastPlan: Plan | undefined;

  get size(): number {
    return this.#size;
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (const ofPlan of this.#plans.values()) yield* ofPlan.values();
  }

  find({ plan, key }: Name): T | undefined {
    if (plan !== this.#lastPlan) {
      this.#last = this.#plans.get(plan);
      this.#lastPlan = plan;
    }
    return this.#last?.get(key);
  }

  /** The same key of the same limit, under each definition. */
  underAll({ plan: { limit }, key }: Name): readonly T[] {
    const all = [...this.#plans].map(([plan, ofPlan]) =>
      plan.limit === limit ? ofPlan.get(key) : undefined,
    );
    return all.filter((one) => one !== undefined);
  }

  /** Adds something for a budget that has nothing yet. */
  add({ plan, key }: Name, one: T): void {
    const ofPlan = this.#plans.get(plan) ?? new Map();
    this.#plans.set(plan, ofPlan.set(key, one));
    this.#lastPlan = undefined;
    this.#size++;
  }

  remove({ plan, key }: Name): void {
    const ofPlan = this.#plans.get(plan);
    if (ofPlan?.delete(key)) this.#size--;
    if (ofPlan?.size !== 0) return;
    this.#plans.delete(plan);
    this.#lastPlan = undefined;
  }
}
