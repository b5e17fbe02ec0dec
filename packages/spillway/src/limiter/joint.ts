/** Several asks taken together. */
import { agree } from "../limits/algorithms/index.ts";
import {
  type Ask,
  apart,
  type Decision,
  joined,
  type Merged,
  type Mode,
  merge,
  SpillwayError,
} from "../limits/core/index.ts";
import type { JointAnswer } from "./contracts.ts";
import type { HeldTimes } from "./held-times.ts";

/** Asks on one budget made one, and whether any of them is for a lease. */
export type JointAsks = Merged & { readonly hasLeases: boolean };

/** Merges asks. @throws SpillwayError `bad-ask` where one budget is asked under two configs. */
export function mergeAgreeing(asks: readonly Ask[]): JointAsks {
  const merged = merge(asks);
  const { places } = merged;
  places?.forEach((place, index) => {
    checkSame(merged.asks[place] as Ask, asks[index] as Ask);
  });
  return { asks: merged.asks, places, hasLeases: asks.some(isLeaseAsk) };
}

function isLeaseAsk({ lease }: Ask): boolean {
  return lease !== undefined;
}

/** A limit that comes with each call may have been made ready twice. */
function checkSame(one: Ask, { plan, settings }: Ask): void {
  if (one.plan === plan) return;
  if (agree(one.plan, plan) && one.settings?.shards === settings?.shards) return;
  throw new SpillwayError({
    code: "bad-ask",
    limit: plan.limit,
    expected: "one definition of a limit for all asks on the same key that are taken together",
  });
}

/** One answer from those of a store, with an estimate where leases were asked for. */
export function joint<M extends Mode>(
  merged: JointAsks,
  answers: readonly Decision[],
  heldTimes: HeldTimes,
): JointAnswer<M> {
  const { asks, hasLeases } = merged;
  const estimated = hasLeases
    ? answers.map((answer, place) => heldTimes.estimate(asks[place] as Ask, answer))
    : answers;
  return joined(apart(merged, estimated));
}
