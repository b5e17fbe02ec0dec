/**
 * The exports of `spillway/algorithms`: the steps, and the types of the states that they change.
 */
export type { Algorithm, LeaseRecord, OtherState } from "../core/index.ts";
export { Leases, Log } from "../core/index.ts";
export { anchorOf, hash } from "./anchor.ts";
export { begin } from "./begin.ts";
export { charge, release, renew, settle } from "./charge.ts";
export { block, decide, notCharged, resetAfter, valueAt } from "./decide.ts";
export { divide } from "./divide.ts";
export { reconcile, reset } from "./lifecycle.ts";
export { limitOf } from "./limit-of.ts";
export { agree } from "./migrate.ts";
export { planFor } from "./plan.ts";
export { draw } from "./shares.ts";
export { type Find, Steps } from "./steps.ts";
export { EXACT, unsettledAt, usedAt } from "./ticks.ts";
