import { RecentMap } from "../../internal/index.ts";
import { type Ask, type Budget, budgetId, type Decision } from "../../limits/core/index.ts";
import { shardsIn } from "./shards.ts";

/** The maximum number of shards remembered. */
const MOST = 10_000;

/**
 * How full shards were at their last answer to this process. Only a hint: other processes take
 * units, and time brings them back.
 */
export class ShardHints {
  readonly #left = new RecentMap<string, number>(MOST);

  /** Returns the fuller of two shards. A shard without an answer so far counts as full. */
  fuller([one, other]: readonly [Budget, Budget]): Budget {
    return this.#of(other) > this.#of(one) ? other : one;
  }

  /** Records what shards have left. */
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
