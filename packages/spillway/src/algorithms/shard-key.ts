import type { Budget } from "../core/index.ts";

/** The key of one of the budgets that a sharded limit spreads a key over. Pure. */
export function shardKey(shard: number, key: string | undefined): string {
  return key === undefined ? `${shard}` : `${shard}/${key}`;
}

/** The key that a budget's own key is a part of: the same, unless it is a shard's. Pure. */
export function wholeKey({ plan, key }: Budget): string | undefined {
  if (plan.whole === undefined || key === undefined) return key;
  const end = key.indexOf("/");
  return end < 0 ? undefined : key.slice(end + 1);
}
