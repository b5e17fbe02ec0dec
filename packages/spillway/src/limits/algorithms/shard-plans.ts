import type { Plan } from "../core/index.ts";
import { divide } from "./divide.ts";
import { limitOf } from "./limit-of.ts";
import { planFor } from "./plan.ts";

/** The plans of shards that were made before: a limit's are used in each call. */
const known = /* @__PURE__ */ new WeakMap<Plan, readonly Plan[]>();

/**
 * Returns the plans of the shards of a limit: together exactly the limit. @throws SpillwayError
 * `inexact-limit`
 */
export function shardPlans(plan: Plan, shards: number): readonly Plan[] {
  const ready = known.get(plan);
  if (ready?.length === shards) return ready;
  // Units that can't be divided go to the first shards.
  const parts = divide(plan, new Array<number>(shards).fill(1), { rates: "whole" }) ?? [];
  const made = parts.map((numbers) => planFor(plan.limit, limitOf(plan, numbers)));
  known.set(plan, made);
  return made;
}
