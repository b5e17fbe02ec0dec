import type { Budget, Plan } from "../../core/index.ts";
import type { BorrowedKey } from "./borrowed-key.ts";

type OfPlan = Map<string | undefined, BorrowedKey>;

/**
 * The keys that borrow, each under one definition of its limit: units drawn under another are not its own, and go
 * back once nobody asks under that one any more.
 */
export class BorrowedKeys {
  readonly #plans = new Map<Plan, OfPlan>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  *[Symbol.iterator](): IterableIterator<BorrowedKey> {
    for (const keys of this.#plans.values()) yield* keys.values();
  }

  find({ plan, key }: Budget): BorrowedKey | undefined {
    return this.#plans.get(plan)?.get(key);
  }

  /** The same key of the same limit, under each definition. */
  underAll({ plan: { limit }, key }: Budget): readonly BorrowedKey[] {
    const all = [...this.#plans].map(([plan, keys]) =>
      plan.limit === limit ? keys.get(key) : undefined,
    );
    return all.filter((one) => one !== undefined);
  }

  add(made: BorrowedKey): void {
    const { plan, key } = made.budget;
    const keys = this.#plans.get(plan) ?? new Map();
    this.#plans.set(plan, keys.set(key, made));
    this.#size++;
  }

  remove({ budget: { plan, key } }: BorrowedKey): void {
    const keys = this.#plans.get(plan);
    if (keys?.delete(key)) this.#size--;
    if (keys?.size === 0) this.#plans.delete(plan);
  }
}
