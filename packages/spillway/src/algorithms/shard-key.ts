/** The key of one of the budgets that a sharded limit spreads a key over. Pure. */
export function shardKey(shard: number, key: string | undefined): string {
  return key === undefined ? `${shard}` : `${shard}/${key}`;
}

/** The key that a shard's key is a part of; undefined for a limit's one global budget. Pure. */
export function wholeKey(shardKey: string): string | undefined {
  const end = shardKey.indexOf("/");
  return end < 0 ? undefined : shardKey.slice(end + 1);
}
