/** The shards of a limit: budgets that together hold exactly the limit. */
import { shardPlans } from "../../limits/algorithms/index.ts";
import type { Budget, Plan } from "../../limits/core/index.ts";

/** Returns the number of budgets that a key is spread over. */
export function shardsIn({ settings }: Budget): number {
  return settings?.shards ?? 1;
}

/** Whether a budget's limit is not sharded. */
export function isWhole(budget: Budget): boolean {
  return shardsIn(budget) === 1;
}

/** Returns one of the budgets that a key is spread over: its key begins with the shard's number. */
export function shardAt(budget: Budget, shard: number): Budget {
  const { plan, key, settings } = budget;
  return {
    plan: shardPlans(plan, shardsIn(budget))[shard] as Plan,
    key: key === undefined ? `${shard}` : `${shard}/${key}`,
    settings,
    shardOf: budget,
  };
}

/**
 * Returns the budgets that a key is spread over, ordered by key. Budgets taken together are locked
 * in this order, so changing them one by one can't deadlock.
 */
export function budgetsOf(budget: Budget): readonly Budget[] {
  const all = Array.from({ length: shardsIn(budget) }, (_, shard) => shardAt(budget, shard));
  return all.sort((one, other) => ((one.key ?? "") < (other.key ?? "") ? -1 : 1));
}
