/** Limits that are spread over several budgets, for stores whose rows or nodes can become too hot. */
export { shardsOf } from "./budgets.ts";
export { ShardedStore } from "./sharded-store.ts";
