import type { KeyCount, KeyCounts } from "../../service/index.ts";

/**
 * Adds the counts of several sketches. Pure.
 *
 * A key that a sketch does not have may have been asked for `leastCount` times there. That is
 * added to the count and to its error, so that the count is still never too low: the merge of
 * Agarwal and others, "Mergeable Summaries", PODS 2012.
 */
export function mergedCounts(all: readonly KeyCounts[]): KeyCounts {
  const merged = new Map<string, KeyCount>();
  const least = sum(all.map(({ leastCount }) => leastCount));
  for (const { keys, leastCount } of all) {
    for (const one of keys) {
      const id = `${one.limit}\n${one.key ?? ""}`;
      const before = merged.get(id) ?? { ...one, asks: least, error: least, refusals: 0 };
      merged.set(id, {
        ...before,
        asks: before.asks + one.asks - leastCount,
        error: before.error + one.error - leastCount,
        refusals: before.refusals + one.refusals,
      });
    }
  }
  const keys = [...merged.values()].sort((one, other) => other.asks - one.asks);
  const period = Math.max(0, ...all.map((one) => one.period));
  return { period, asks: sum(all.map(({ asks }) => asks)), keys, leastCount: least };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
