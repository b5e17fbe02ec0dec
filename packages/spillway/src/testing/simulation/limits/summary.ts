/**
 * Figures from a recording of limits. All functions are pure. Times are milliseconds after the
 * simulation began.
 */
import { movingMeans } from "../readings.ts";
import {
  emptyLimitTally,
  type LimitBucket,
  type LimitRecording,
  type LimitTally,
} from "./recording.ts";

/** A part of a recording: the buckets that begin at or after `from` and before `to`. */
export type LimitSpan = {
  /** Default: 0. */
  readonly from?: number;
  /** Default: the recording's `duration`. */
  readonly to?: number;
  /** The name of the traffic to count. Default: all traffic. */
  readonly name?: string;
};

/** Returns the sum of all tallies in a span. */
export function limitTotal(recording: LimitRecording, span: LimitSpan = {}): LimitTally {
  const sum = emptyLimitTally();
  for (const bucket of within(recording, span)) add(sum, tallyOf(bucket, span));
  return sum;
}

/**
 * Returns the number of commands to stores for each hundred calls of `limit`; 0 if there are none.
 * Counts near and far stores.
 */
export function callsPer100(recording: LimitRecording, span: Omit<LimitSpan, "name"> = {}): number {
  const { asked } = limitTotal(recording, span);
  let calls = 0;
  for (const { storeCalls, farCalls } of within(recording, span)) calls += storeCalls + farCalls;
  return asked === 0 ? 0 : (100 * calls) / asked;
}

/**
 * Returns the admitted calls divided by those that a single store without delay would admit.
 * Returns 1 if it would admit none.
 */
export function idealShare(recording: LimitRecording, span: LimitSpan = {}): number {
  const { admitted, ideal } = limitTotal(recording, span);
  return ideal === 0 ? 1 : admitted / ideal;
}

/** A part of a recording that begins with a change. */
export type AfterChange = LimitSpan & {
  /** The instant of the change. */
  readonly from: number;
  /** The share of the ideal at which the limit counts as recovered, from 0 to 1. Default: 0.95. */
  readonly share?: number;
};

/**
 * Returns the milliseconds from a change until admissions stay close to the ideal. `Infinity` if
 * they never do.
 *
 * It compares moving means over 5 buckets: from the result on, all of them reach `share` of the
 * ideal until the end of the span. The result is a multiple of `width`, so choose a short one.
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
