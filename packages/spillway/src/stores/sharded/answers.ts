/** Answers to asks whose limits are sharded, from those of single shards. */
import { notCharged } from "../../limits/algorithms/index.ts";
import { type Ask, type Decision, refused } from "../../limits/core/index.ts";
import type { Aggregate } from "./aggregate.ts";
import { isWhole } from "./shards.ts";

/** For each ask of a call all shards of its key; undefined where its limit is not sharded. */
export type Aggregates = readonly (Aggregate | undefined)[];

/** What is known of asks: all shards of those that have them, and the last answers of the others. */
export type Seen = { readonly aggregates: Aggregates; readonly plain: readonly Decision[] };

/** What all shards together, and limits without shards, say to asks; none is taken if one refuses. */
export function answersOf(asks: readonly Ask[], { aggregates, plain }: Seen): readonly Decision[] {
  const answers = asks.map(
    (ask, index) => aggregates[index]?.decide(ask) ?? (plain[index] as Decision),
  );
  if (answers.every(({ ok }) => ok)) return answers;
  return answers.map((answer, index) => {
    const aggregate = aggregates[index];
    return answer.ok && aggregate !== undefined ? notCharged(answer, aggregate.value()) : answer;
  });
}

/** One answer for each ask from those for its parts: what was wanted, if all of them were taken. */
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

/** What was wanted, with the starts that were given: others may have reserved in between. */
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

/** Others were quicker, again and again: there was room, and there may be in a moment. */
export function lost(ask: Ask, wanted: Decision): Decision {
  if (isWhole(ask)) return wanted;
  return refused(wanted, { remaining: 0, retryAfter: 1, reason: "limited" });
}

/** A shard's answer as its limit's: at least that much is left. */
export function ofAggregate(ask: Ask, decision: Decision): Decision {
  if (isWhole(ask) || decision.degraded) return decision;
  return { ...decision, capacity: ask.plan.capacity };
}
