/** The arithmetic of limits: pure steps, for those who write a store. */
export { anchorOf, hash } from "./anchor.ts";
export {
  block,
  charge,
  decide,
  notCharged,
  release,
  renew,
  resetAfter,
  settle,
  valueAt,
} from "./decide.ts";
export { begin, reconcile, reset } from "./lifecycle.ts";
export { limitOf } from "./limit-of.ts";
export { agree } from "./migrate.ts";
export { OVERFLOW } from "./overflow.ts";
export { planFor } from "./plan.ts";
export { draw, MOST_SHARES } from "./shares.ts";
export { type Find, Steps } from "./steps.ts";
export { EXACT, unsettledAt, usedAt } from "./ticks.ts";
