/** Limits that are spread over several budgets, for stores whose rows or nodes can become too hot. */
export { sharded } from "./sharded-store.ts";
export { shardsOf } from "./shards.ts";
