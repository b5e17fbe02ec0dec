/** Builds the answers to asks under sharded limits from those of single shards. */
import { notCharged } from "../../limits/algorithms/index.ts";
import { type Ask, type Decision, refused } from "../../limits/core/index.ts";
import type { Aggregate } from "./aggregate.ts";
import { isWhole } from "./shards.ts";

/** For each ask of a call, all shards of its key; undefined if its limit is not sharded. */
export type Aggregates = readonly (Aggregate | undefined)[];

/** All shards of the sharded asks, and the last answers to the others. */
export type ShardAnswers = { readonly aggregates: Aggregates; readonly plain: readonly Decision[] };

/**
 * Returns the answers of all shards together, and of limits without shards. If one refuses, none is
 * charged.
 */
export function answersOf(
  asks: readonly Ask[],
  { aggregates, plain }: ShardAnswers,
): readonly Decision[] {
  const answers = asks.map(
    (ask, index) => aggregates[index]?.decide(ask) ?? (plain[index] as Decision),
  );
  if (answers.every(({ ok }) => ok)) return answers;
  return answers.map((answer, index) => {
    const aggregate = aggregates[index];
    return answer.ok && aggregate !== undefined ? notCharged(answer, aggregate.value()) : answer;
  });
}

/**
 * Builds one answer for each ask from those to its parts: the planned decision, if all parts were
 * taken.
 */
export function mergedParts(
  parts: readonly (readonly Ask[])[],
  taken: readonly Decision[],
  wanted: readonly Decision[],
): readonly Decision[] {
  const decisions = taken.values();
  return parts.map((asks, index) => {
    const each = asks.map(() => decisions.next().value as Decision);
    const whole = wanted[index] as Decision;
    const [decision] = each;
    const isPlain = asks[0] !== undefined && isWhole(asks[0]);
    if (decision === undefined) return whole;
    const telling = each.find(({ degraded }) => degraded) ?? each.find(({ ok }) => !ok);
    if (telling !== undefined) return { ...telling, capacity: whole.capacity };
    return isPlain ? decision : asTaken(whole, each);
  });
}

/**
 * Returns the planned decision with the starts actually granted, because others may have reserved
 * in between.
 */
function asTaken(whole: Decision, parts: readonly Decision[]): Decision {
  const most = (time: (part: Decision) => number) => Math.max(...parts.map(time));
  return {
    ...whole,
    retryAfter: most(({ retryAfter }) => retryAfter),
    resetAfter: Math.max(
      whole.resetAfter,
      most(({ resetAfter }) => resetAfter),
    ),
  };
}

/**
 * Returns the decision after others were repeatedly faster: there was room, and there may be again
 * in a moment.
 */
export function contendedDecision(ask: Ask, wanted: Decision): Decision {
  if (isWhole(ask)) return wanted;
  return refused(wanted, { remaining: 0, retryAfter: 1, reason: "limited" });
}

/** Returns a shard's answer as its limit's: at least that much is left. */
export function ofAggregate(ask: Ask, decision: Decision): Decision {
  if (isWhole(ask) || decision.degraded) return decision;
  return { ...decision, capacity: ask.plan.capacity };
}
