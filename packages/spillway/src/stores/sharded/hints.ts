import { RecentMap } from "../../internal/index.ts";
import { type Ask, type Budget, budgetId, type Decision } from "../../limits/core/index.ts";
import { shardsIn } from "./shards.ts";

/** The most shards to remember. */
const MOST = 10_000;

/**
 * What is known in this process of how full shards are: what they had left when they last answered.
 * A hint, no truth: others take as well, and time gives back.
 */
export class ShardHints {
  readonly #left = new RecentMap<string, number>(MOST);

  /** The fuller of two shards, where a shard that has not answered yet counts as full. */
  fuller([one, other]: readonly [Budget, Budget]): Budget {
    return this.#of(other) > this.#of(one) ? other : one;
  }

  /** Remembers what shards have left. */
  note(asks: readonly Ask[], decisions: readonly Decision[]): void {
    for (const [index, ask] of asks.entries()) this.#note(ask, decisions[index] as Decision);
  }

  #note(ask: Ask, { remaining, degraded }: Decision): void {
    if (shardsIn(ask) === 1 || degraded) return;
    this.#left.set(budgetId(ask), remaining);
  }

  #of(budget: Budget): number {
    return this.#left.get(budgetId(budget)) ?? Number.POSITIVE_INFINITY;
  }
}
