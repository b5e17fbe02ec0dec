/** The arithmetic of limits: pure steps, for those who write a store. */
export { agree } from "./adopt.ts";
export { anchorOf, hash } from "./anchor.ts";
export { unseen } from "./answers.ts";
export { block, charge, decide, resetAfter, settle, tell, untaken } from "./decide.ts";
export { algorithms } from "./kinds.ts";
export { release, renew } from "./leases.ts";
export { begin, follow, reset } from "./lifecycle.ts";
export { limitOf } from "./limit-of.ts";
export { planFor } from "./plan.ts";
export { shardKey, wholeKey } from "./shard-key.ts";
export { type Find, Steps } from "./steps.ts";
export { EXACT } from "./ticks.ts";
