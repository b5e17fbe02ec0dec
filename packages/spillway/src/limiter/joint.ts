/** Several asks taken together. */
import { agree } from "../limits/algorithms/index.ts";
import {
  type Ask,
  budgetId,
  type Decision,
  type Mode,
  SpillwayError,
} from "../limits/core/index.ts";
import type { JointAnswer } from "./contracts.ts";
import type { HeldTimes } from "./held-times.ts";

/** Asks on one budget made one, and which of them each original ask became. */
export type Merged = {
  readonly asks: readonly Ask[];
  /** Undefined where no two asks were on one budget. */
  readonly places: readonly number[] | undefined;
  /** Whether any of them asks for a lease. */
  readonly hasLeases: boolean;
};

/** So many asks are compared with each other; making a text of each budget costs more than that. */
const FEW = 8;

/**
 * Makes asks on one budget a single ask for their sum, so that the budget is charged for all or for
 * none and the wait is exact. It reserves only if all of them do.
 *
 * @throws SpillwayError `bad-ask` where one budget is asked under two configs.
 */
export function merge(asks: readonly Ask[]): Merged {
  const hasLeases = asks.some(isLeaseAsk);
  if (asks.length <= FEW && !hasTwins(asks)) return { asks, places: undefined, hasLeases };
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
  return { asks: merged, places, hasLeases };
}

function isLeaseAsk({ lease }: Ask): boolean {
  return lease !== undefined;
}

/** Whether two asks are on one budget. */
function hasTwins(asks: readonly Ask[]): boolean {
  for (let index = 1; index < asks.length; index++) {
    const { plan, key } = asks[index] as Ask;
    for (let before = 0; before < index; before++) {
      const other = asks[before] as Ask;
      if (other.plan.limit === plan.limit && other.key === key) return true;
    }
  }
  return false;
}

function sum(one: Ask, other: Ask): Ask {
  if (!isSame(one, other)) {
    throw new SpillwayError({
      code: "bad-ask",
      limit: one.plan.limit,
      expected: "one definition of a limit for all asks on the same key that are taken together",
    });
  }
  return { ...one, count: one.count + other.count, reserve: one.reserve && other.reserve };
}

/** A limit that comes with each call may have been made ready twice. */
function isSame(one: Ask, other: Ask): boolean {
  if (one.plan === other.plan) return true;
  return agree(one.plan, other.plan) && one.settings?.shards === other.settings?.shards;
}

/** One answer from many: the refusal with the longest wait, or the tightest of what was admitted. */
export function joint<M extends Mode>(
  merged: Merged,
  answers: readonly Decision[],
  heldTimes: HeldTimes,
): JointAnswer<M> {
  const decisions = decisionsOf(merged, answers, heldTimes);
  const refusals = decisions.every(isOk) ? NONE : decisions.filter((one) => !one.ok);
  const hasRefused = refusals.length > 0;
  const { longest, tightest, degraded } = extremesOf(decisions);
  const deciding = hasRefused ? extremesOf(refusals).longest : tightest;
  return {
    ok: deciding.ok,
    limit: deciding.limit,
    capacity: deciding.capacity,
    remaining: deciding.remaining,
    // What was admitted may start when the last of it may.
    retryAfter: hasRefused ? deciding.retryAfter : longest.retryAfter,
    resetAfter: deciding.resetAfter,
    reason: deciding.reason,
    degraded,
    estimatedRetryAfter: hasRefused ? longestEstimate(refusals) : undefined,
    refused: hasRefused ? [...new Set(refusals.map(({ limit }) => limit))] : [],
    decisions,
    lease: undefined,
  };
}

const NONE: readonly Decision[] = [];

/** One decision for each original ask. */
function decisionsOf(
  { asks, places, hasLeases }: Merged,
  answers: readonly Decision[],
  heldTimes: HeldTimes,
): readonly Decision[] {
  const estimated = hasLeases
    ? answers.map((answer, place) => heldTimes.estimate(asks[place] as Ask, answer))
    : answers;
  return places === undefined ? estimated : places.map((place) => estimated[place] as Decision);
}

/** Where one of them is an estimate so is the whole; the waits of the others are exact, or all that is known. */
function longestEstimate(refusals: readonly Decision[]): number | undefined {
  if (!refusals.some(({ estimatedRetryAfter }) => estimatedRetryAfter)) return undefined;
  return Math.max(...refusals.map((one) => one.estimatedRetryAfter ?? one.retryAfter));
}

function isOk({ ok }: Decision): boolean {
  return ok;
}

/** The first with the longest wait, the first with the least left, and whether any is degraded. */
function extremesOf(some: readonly Decision[]) {
  let longest = some[0] as Decision;
  let tightest = longest;
  let degraded: true | undefined;
  for (const one of some) {
    if (one.retryAfter > longest.retryAfter) longest = one;
    if (one.remaining < tightest.remaining) tightest = one;
    if (one.degraded === true) degraded = true;
  }
  return { longest, tightest, degraded };
}
