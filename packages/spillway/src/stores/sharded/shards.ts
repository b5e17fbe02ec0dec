/** A limit that is spread over several budgets: what each of them may hold. */
import { divide, limitOf, planFor } from "../../limits/algorithms/index.ts";
import type { Budget, Plan } from "../../limits/core/index.ts";

const known = new WeakMap<Plan, readonly Plan[]>();

/** How many budgets a budget's key is spread over. */
export function shardsIn({ settings }: Budget): number {
  return settings?.shards ?? 1;
}

/** Whether a budget's limit is not sharded. */
export function isWhole(budget: Budget): boolean {
  return shardsIn(budget) === 1;
}

/** The plans of so many shards of a limit: together exactly the limit. @throws SpillwayError `inexact-limit` */
export function shardPlans(plan: Plan, shards: number): readonly Plan[] {
  const ready = known.get(plan);
  if (ready?.length === shards) return ready;
  // What can't be divided goes to the first ones.
  const parts = divide(plan, new Array<number>(shards).fill(1), { rates: "whole" }) ?? [];
  const made = parts.map((numbers) => planFor(plan.limit, limitOf(plan, numbers)));
  known.set(plan, made);
  return made;
}

/** One of the budgets that a key is spread over: its key has the shard's number before it. */
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
 * The budgets that a key is spread over, in the order of their keys: so are those locked that are taken
 * from together, and who changes them one by one must not wait for these in a circle.
 */
export function budgetsOf(budget: Budget): readonly Budget[] {
  const all = Array.from({ length: shardsIn(budget) }, (_, shard) => shardAt(budget, shard));
  return all.sort((one, other) => ((one.key ?? "") < (other.key ?? "") ? -1 : 1));
}
