/** Decisions counted by columns of a picture. All functions are pure. */
import { type Columns, firstFrom } from "./columns.ts";

/** A span of time in milliseconds, and into how many columns it is divided. */
export type View = { readonly from: number; readonly to: number; readonly columns: number };

/** For each column its middle in milliseconds, how many were admitted and refused, and the longest wait. */
export type Bars = {
  readonly middle: Float64Array;
  readonly admitted: Float64Array;
  readonly refused: Float64Array;
  /** The longest wait of a refused request, and of an admitted one, in ms; NaN where there is none. */
  readonly refusedWait: Float64Array;
  readonly admittedWait: Float64Array;
};

/** Counts the decisions within a view. */
export function barsOf(all: Columns, { from, to, columns }: View): Bars {
  const width = (to - from) / columns;
  const bars = {
    middle: Float64Array.from({ length: columns }, (_, index) => from + (index + 0.5) * width),
    admitted: new Float64Array(columns),
    refused: new Float64Array(columns),
    refusedWait: new Float64Array(columns).fill(Number.NaN),
    admittedWait: new Float64Array(columns).fill(Number.NaN),
  };
  for (let index = firstFrom(all.at, from); index < all.at.length; index++) {
    const at = all.at[index] ?? 0;
    if (at >= to) break;
    note(bars, { all, index, column: Math.min(columns - 1, Math.floor((at - from) / width)) });
  }
  return bars;
}

type Place = { readonly all: Columns; readonly index: number; readonly column: number };

function note(bars: Bars, { all, index, column }: Place): void {
  const ok = all.reason[index] === 0;
  const wait = all.retryAfter[index] ?? 0;
  const [counts, waits] = ok
    ? [bars.admitted, bars.admittedWait]
    : [bars.refused, bars.refusedWait];
  counts[column] = (counts[column] ?? 0) + 1;
  if (!Number.isFinite(wait) || (ok && wait === 0)) return;
  const before = waits[column] ?? Number.NaN;
  waits[column] = Number.isNaN(before) ? wait : Math.max(before, wait);
}
