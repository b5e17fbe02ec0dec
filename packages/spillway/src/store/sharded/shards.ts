/** A limit that is spread over several budgets: what each of them may hold. */
import { limitOf, planFor, shardKey } from "../../algorithms/index.ts";
import type { Budget, Limit, Plan } from "../../core/index.ts";

const known = new WeakMap<Plan, readonly Plan[]>();

/** The plans of a limit's shards: together exactly the limit. */
export function shardsOf(plan: Plan): readonly Plan[] {
  const ready = known.get(plan);
  if (ready !== undefined) return ready;
  const made = Array.from({ length: plan.shards }, (_, shard) =>
    Object.assign(planFor(plan.limit, partOf(plan, shard)), { whole: plan }),
  );
  known.set(plan, made);
  return made;
}

/** One of the budgets that a key is spread over. */
export function shardOf({ plan, key }: Budget, shard: number): Budget {
  return { plan: shardsOf(plan)[shard] as Plan, key: shardKey(shard, key) };
}

/**
 * The budgets that a key is spread over, in the order of their keys: so are those locked that are taken
 * from together, and who changes them one by one must not wait for these in a circle.
 */
export function budgetsOf(budget: Budget): readonly Budget[] {
  const all = shardsOf(budget.plan).map((_, shard) => shardOf(budget, shard));
  return all.sort((one, other) => ((one.key ?? "") < (other.key ?? "") ? -1 : 1));
}

/** One shard's part of a limit; what can't be divided goes to the first ones. */
function partOf(plan: Plan, shard: number): Limit {
  const { rate, capacity, maxReserved, shards } = plan;
  const part = (units: number) => Math.floor(units / shards) + (shard < units % shards ? 1 : 0);
  const debt = maxReserved < Infinity ? part(maxReserved) : maxReserved;
  return limitOf(plan, { rate: part(rate), capacity: part(capacity), maxReserved: debt });
}
