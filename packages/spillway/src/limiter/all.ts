/** Takes several asks together, with one answer. */
import { type Awaitable, after, type ClockReading, readNow } from "../internal/index.ts";
import { agree } from "../limits/algorithms/index.ts";
import {
  type Answer,
  type Ask,
  type AsksByBudget,
  apart,
  joined,
  merge,
  SpillwayError,
  type Timing,
} from "../limits/core/index.ts";
import type { AnyJointAsk, Asks } from "./asks.ts";
import { ANSWER_FIELDS, checkAnswer, checkFields } from "./check-ask.ts";
import type { JointAnswer } from "./contracts.ts";
import { finished } from "./finish.ts";
import { compensate, holdingsOf, isHeldLate, over, refuseAll } from "./holdings.ts";
import { Lease } from "./lease.ts";
import type { LimiterParts } from "./limiter-parts.ts";
import type { AnswerOptions } from "./options.ts";

/** The maximum number of asks in one call: a store decides all of them in one indivisible step. */
const MOST_ASKS = 1000;

/** Asks with one entry for each budget, and whether any of them is for a lease. */
type JointAsks = AsksByBudget & { readonly hasLeases: boolean };

/** Whether to take from all budgets, and how to return the answer. */
type JointManner = {
  readonly verb: "limit" | "check";
  readonly options: AnswerOptions | undefined;
};

/** Takes from all budgets or from none, or only checks. One lease holds all units in flight. */
export function askAll<M extends Timing>(
  parts: LimiterParts<M>,
  given: readonly AnyJointAsk[],
  { verb, options }: JointManner,
): Answer<M, JointAnswer<M>> {
  const { store, heldTimes } = parts;
  const merged = mergedAsks(parts.asks, given, options);
  const { asks, hasLeases } = merged;
  const asked = hasLeases && verb === "limit" ? readNow() : undefined;
  const answers = store.execute({ verb, budgets: asks });
  return after(store.timing as M, answers, (each): Awaitable<M, JointAnswer<M>> => {
    const estimated = hasLeases
      ? each.map((answer, place) => heldTimes.estimate(asks[place] as Ask, answer))
      : each;
    const joint: JointAnswer<M> = joined(apart(merged, estimated));
    const decision = options === undefined ? joint : finished(parts, joint, options);
    return asked === undefined ? decision : held(parts, { merged, decision, asked }, options);
  });
}

/** Merges asks on the same budget. @throws SpillwayError for misuse */
function mergedAsks(
  asks: Asks,
  given: readonly AnyJointAsk[],
  options: AnswerOptions | undefined,
): JointAsks {
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_ASKS) {
    const expected = `an array of 1 to ${MOST_ASKS} asks`;
    const problem = { field: "asks", value: given, isPrivate: true, expected };
    throw new SpillwayError({ code: "bad-ask", ...problem });
  }
  if (options !== undefined) {
    checkFields("", options, ANSWER_FIELDS);
    checkAnswer(options);
  }
  const all: Ask[] = [];
  // A list may have holes, which `map` would skip.
  for (const one of given) all.push(asks.oneOf(one));
  const merged = merge(all);
  const { places } = merged;
  places?.forEach((place, index) => {
    checkSame(merged.asks[place] as Ask, all[index] as Ask);
  });
  let hasLeases = false;
  for (const { lease } of all) hasLeases ||= lease !== undefined;
  return { asks: merged.asks, places, hasLeases };
}

/**
 * A limit that is passed with each call may have been prepared twice.
 *
 * @throws SpillwayError `bad-ask` if one budget is asked under two definitions
 */
function checkSame(one: Ask, { plan, settings }: Ask): void {
  if (one.plan === plan) return;
  if (agree(one.plan, plan) && one.settings?.shards === settings?.shards) return;
  throw new SpillwayError({
    code: "bad-ask",
    limit: plan.limit,
    expected: "one definition of a limit for all asks in a call with the same key",
  });
}

type JointResult<M extends Timing> = {
  readonly merged: JointAsks;
  readonly decision: JointAnswer<M>;
  /** When the request was sent to the store. */
  readonly asked: ClockReading;
};

/**
 * Adds the lease that holds the units in flight. Refuses if that lease has expired in the meantime.
 */
function held<M extends Timing>(
  parts: LimiterParts<M>,
  { merged, decision, asked }: JointResult<M>,
  options: AnswerOptions | undefined,
): Awaitable<M, JointAnswer<M>> {
  const holdings = holdingsOf(merged, decision);
  if (!decision.ok || holdings.length === 0) return decision;
  const lease = new Lease({ decision, holdings, context: parts.leaseContext, asked });
  if (!lease.isOver) return { ...decision, lease };
  const late = isHeldLate(lease).then((isHeld) => {
    if (isHeld) return { ...decision, lease };
    const refusal = refuseAll(merged, decision, over(decision));
    if (refusal.ok) return refusal;
    compensate(parts.store, merged, decision);
    return finished(parts, refusal, options);
  });
  return late as Awaitable<M, JointAnswer<M>>;
}
