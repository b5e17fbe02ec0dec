/** What a recording of limits comes to. All functions are pure; times are milliseconds after it began. */
import { movingMeans } from "../readings.ts";
import {
  emptyLimitTally,
  type LimitBucket,
  type LimitRecording,
  type LimitTally,
} from "./recording.ts";

/** Which part of a recording: the buckets that begin from `from` on and before `to`. */
export type LimitSpan = {
  /** Default: 0. */
  readonly from?: number;
  /** Default: the recording's `duration`. */
  readonly to?: number;
  /** The name of traffic. Default: all, with a name or without. */
  readonly name?: string;
};

/** All that became of the calls in a span. */
export function limitTotal(recording: LimitRecording, span: LimitSpan = {}): LimitTally {
  const sum = emptyLimitTally();
  for (const bucket of within(recording, span)) add(sum, tallyOf(bucket, span));
  return sum;
}

/** Of a hundred calls of `limit`, how many calls of a store it took, near and far; 0 of none. */
export function callsPer100(recording: LimitRecording, span: Omit<LimitSpan, "name"> = {}): number {
  const { asked } = limitTotal(recording, span);
  let calls = 0;
  for (const { storeCalls, farCalls } of within(recording, span)) calls += storeCalls + farCalls;
  return asked === 0 ? 0 : (100 * calls) / asked;
}

/** What was admitted, as a share of what one store that answers at once would have admitted; 1 of none. */
export function idealShare(recording: LimitRecording, span: LimitSpan = {}): number {
  const { admitted, ideal } = limitTotal(recording, span);
  return ideal === 0 ? 1 : admitted / ideal;
}

/** A part of a recording that begins with a change. */
export type AfterChange = LimitSpan & {
  /** When something changed. */
  readonly from: number;
  /** From which share of the ideal on it counts as there, 0 to 1. Default: 0.95. */
  readonly share?: number;
};

/**
 * Milliseconds from a change until the ideal is nearly reached, and then for the rest of the span; `Infinity` if never.
 *
 * Of moving means over 5 buckets, the first from which on all are at the share: choose a short `width`.
 */
export function recoveryTime(recording: LimitRecording, after: AfterChange): number {
  const { share = 0.95 } = after;
  const tallies = within(recording, after).map((bucket) => tallyOf(bucket, after));
  const admitted = movingMeans(tallies.map((tally) => tally.admitted));
  const ideal = movingMeans(tallies.map((tally) => tally.ideal));
  const last = admitted.findLastIndex((mean, index) => mean < share * (ideal[index] as number));
  return last + 1 >= admitted.length ? Number.POSITIVE_INFINITY : (last + 1) * recording.width;
}

function within({ buckets, duration }: LimitRecording, span: LimitSpan): readonly LimitBucket[] {
  const { from = 0, to = duration } = span;
  return buckets.filter(({ start }) => start >= from && start < to);
}

function tallyOf({ tally, named }: LimitBucket, { name }: LimitSpan): LimitTally {
  return name === undefined ? tally : (named[name] ?? emptyLimitTally());
}

function add(sum: LimitTally, tally: LimitTally): void {
  for (const name of Object.keys(sum) as (keyof LimitTally)[]) sum[name] += tally[name];
}
