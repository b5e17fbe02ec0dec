/** Reads what a key has left, and the state from which a page computes later values. */
import type { AnyLimiter } from "../../limiter/index.ts";
import { planFor, valueAt } from "../../limits/algorithms/index.ts";
import {
  isConcurrency,
  type Limit,
  type Limits,
  type Plan,
  type StateSnapshot,
  type Value,
} from "../../limits/core/index.ts";
import { sentState, type ValueSnapshot } from "./snapshot.ts";

/** A limit and a key. */
export type ValueOf<L extends Limits> = {
  readonly limit: keyof L & string;
  readonly key?: string | undefined;
};

/** Reads what a key has left as a snapshot, for pages that are rendered on the server. */
export async function valueSnapshot<const L extends Limits>(
  limiter: AnyLimiter<L>,
  { limit, key }: ValueOf<L>,
): Promise<ValueSnapshot> {
  const options = key === undefined ? {} : { key };
  const definition: Limit | undefined = limiter.limits[limit];
  if (definition === undefined || !countsOn(definition)) {
    return shownOf(await limiter.value(limit, options));
  }
  const peeked = await limiter.peek(limit, options);
  const plan = overridingPlan(peeked) ?? planFor(limit, definition);
  const known = { ...valueAt(peeked.state, plan, peeked.now), limit };
  return { ...shownOf(known), state: sentState(plan, peeked) };
}

/** Returns the plan by which the key is decided, if that is an override. */
function overridingPlan({ state, now }: StateSnapshot): Plan | undefined {
  return state.overriddenUntil > now ? state.plan : undefined;
}

function shownOf(value: Value): ValueSnapshot {
  const { limit, capacity, remaining, resetAfter, blockedFor, penalized } = value;
  const shown = { limit, capacity, remaining, resetAfter, blockedFor };
  return penalized ? { ...shown, penalized } : shown;
}

/**
 * Whether a page can update the value by itself. It can't for leases, which end when they are
 * released, and for shards, which are several states.
 */
function countsOn(limit: Limit): boolean {
  return !isConcurrency(limit) && (("shards" in limit ? limit.shards : undefined) ?? 1) === 1;
}
