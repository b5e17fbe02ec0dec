/** The arithmetic of limits: pure steps, for authors of stores. */
export { rewindIfAhead } from "./begin.ts";
export { unblock } from "./decide.ts";
export { fixedWindow } from "./fixed-window.ts";
export { OVERFLOW } from "./overflow.ts";
export { overrideCommand } from "./override-command.ts";
export { decideOn, freshAfter, override, valueOn } from "./overrides.ts";
export { penalize } from "./penalties.ts";
export { recordLeft } from "./penalty-record.ts";
export * from "./public.ts";
export { inexactField, ratePlanOf } from "./rate-plan.ts";
export { shardPlans } from "./shard-plans.ts";
export { MOST_SHARES } from "./shares.ts";
export { slidingLog } from "./sliding-log.ts";
export { slidingWindow } from "./sliding-window.ts";
export { greatestDivisor } from "./ticks.ts";
export { tokenBucket } from "./token-bucket.ts";
