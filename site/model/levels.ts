/** What is left, in as few points as a picture needs. All functions are pure. */
import type { View } from "./bars.ts";
import { type Columns, firstFrom } from "./columns.ts";

/** Instants in milliseconds, and the units left from each of them on. */
export type Levels = { readonly at: readonly number[]; readonly left: readonly number[] };

/** Keeps the first, the least, the most and the last reading of each column of a view. */
export function levelsOf({ readAt, left }: Columns, { from, to, columns }: View): Levels {
  const width = (to - from) / columns;
  const columnOf = (index: number) => Math.floor(((readAt[index] ?? 0) - from) / width);
  // One more on either side: what is left at the edges.
  const end = Math.min(readAt.length, firstFrom(readAt, to) + 1);
  const kept: number[] = [];
  for (let index = Math.max(0, firstFrom(readAt, from) - 1); index < end; ) {
    const span = { from: index, to: index + 1 };
    while (span.to < end && columnOf(span.to) === columnOf(index)) span.to++;
    kept.push(...turnsOf(left, span));
    index = span.to;
  }
  return {
    at: kept.map((index) => readAt[index] ?? 0),
    left: kept.map((index) => left[index] ?? 0),
  };
}

/** The places of the first, the least, the most and the last number of a span, in order. */
function turnsOf(numbers: Float64Array, { from, to }: { from: number; to: number }): number[] {
  let [least, most] = [from, from];
  for (let index = from; index < to; index++) {
    if ((numbers[index] ?? 0) < (numbers[least] ?? 0)) least = index;
    if ((numbers[index] ?? 0) > (numbers[most] ?? 0)) most = index;
  }
  return [...new Set([from, Math.min(least, most), Math.max(least, most), to - 1])];
}
