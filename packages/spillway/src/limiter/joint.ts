/** Several asks taken together. */
import { agree } from "../algorithms/index.ts";
import {
  type Ask,
  budgetId,
  type Decision,
  type JointDecision,
  type Plan,
  SpillwayError,
} from "../core/index.ts";
import type { HeldTimes } from "./held-times.ts";

/** Asks on one budget made one, and which of them each original ask became. */
export type Merged = { readonly asks: readonly Ask[]; readonly places: readonly number[] };

/**
 * Makes asks on one budget a single ask for their sum, so that the budget is charged for all or for
 * none and the wait is exact. It reserves only if all of them do.
 *
 * @throws SpillwayError `bad-ask` where one budget is asked under two configs.
 */
export function merge(asks: readonly Ask[]): Merged {
  const merged: Ask[] = [];
  const found = new Map<string, number>();
  const places = asks.map((ask) => {
    const id = budgetId(ask);
    const place = found.get(id);
    if (place === undefined) {
      found.set(id, merged.push(ask) - 1);
      return merged.length - 1;
    }
    merged[place] = sum(merged[place] as Ask, ask);
    return place;
  });
  return { asks: merged, places };
}

function sum(one: Ask, other: Ask): Ask {
  if (!isSame(one.plan, other.plan)) {
    throw new SpillwayError({
      code: "bad-ask",
      limit: one.plan.limit,
      expected: "one definition of a limit for all asks on the same key that are taken together",
    });
  }
  return { ...one, count: one.count + other.count, reserve: one.reserve && other.reserve };
}

/** A limit that comes with each ask may have been made ready twice. */
function isSame(one: Plan, other: Plan): boolean {
  return one === other || (agree(one, other) && one.shards === other.shards);
}

/** One answer from many: the refusal with the longest wait, or the tightest of what was admitted. */
export function joint(
  { asks, places }: Merged,
  answers: readonly Decision[],
  heldTimes: HeldTimes,
): JointDecision {
  const estimated = (place: number) =>
    heldTimes.estimate(asks[place] as Ask, answers[place] as Decision);
  const decisions = places.map(estimated);
  const refusals = decisions.filter(({ ok }) => !ok);
  const deciding =
    refusals.length > 0 ? most(refusals, waits) : most(decisions, ({ remaining }) => -remaining);
  return {
    ...deciding,
    // What was admitted may start when the last of it may.
    retryAfter: waits(most(refusals.length > 0 ? refusals : decisions, waits)),
    degraded: decisions.some(({ degraded }) => degraded) ? true : undefined,
    estimatedRetryAfter: longestEstimate(refusals),
    refused: [...new Set(refusals.map(({ limit }) => limit))],
    decisions,
  };
}

/** Where one of them is an estimate so is the whole; the waits of the others are exact, or all that is known. */
function longestEstimate(refusals: readonly Decision[]): number | undefined {
  if (!refusals.some(({ estimatedRetryAfter }) => estimatedRetryAfter)) return undefined;
  return Math.max(...refusals.map((one) => one.estimatedRetryAfter ?? one.retryAfter));
}

const waits = ({ retryAfter }: Decision): number => retryAfter;

function most(some: readonly Decision[], measure: (one: Decision) => number): Decision {
  return some.reduce((best, one) => (measure(one) > measure(best) ? one : best));
}
