/** What a recording comes to. All functions are pure; times are milliseconds after it began. */
import { PRIORITIES, type Priority } from "../../shedding/index.ts";
import { mean, movingMeans, quantile } from "./readings.ts";
import { type Bucket, emptyTally, type Recording, type RequestTally } from "./recording.ts";

/** Which part of a recording: the buckets that begin from `from` on and before `to`. */
export type Span = {
  /** Default: 0. */
  readonly from?: number;
  /** Default: the recording's `duration`. */
  readonly to?: number;
  /** Default: all. */
  readonly priority?: Priority;
  /** The name of a route. Default: all routes, with a name or without. */
  readonly route?: string;
};

/** All that was counted in a span. */
export function total(recording: Recording, span: Span = {}): RequestTally {
  const sum = emptyTally();
  for (const bucket of within(recording, span)) {
    for (const tally of talliesOf(bucket, span)) add(sum, tally);
  }
  return sum;
}

/** Attempts a second that were served in time. */
export function goodput(recording: Recording, span: Span = {}): number {
  return mean(goodputs(recording, span));
}

/** The share of the requests that were served in time, at whichever attempt; 1 of none. */
export function successRate(recording: Recording, span: Span = {}): number {
  const { arrived, succeeded } = total(recording, span);
  return arrived === 0 ? 1 : succeeded / arrived;
}

/** A quantile of the ms from an attempt to its answer, of all served ones; undefined of none. */
export function latency(
  recording: Recording,
  { rank, ...span }: Span & { readonly rank: number },
): number | undefined {
  return quantile(total(recording, span).latencies, rank);
}

/** The share of the time in which the process used the CPU. */
export function cpuShare(recording: Recording, span: Span = {}): number {
  return mean(within(recording, span).map(({ cpu }) => cpu / recording.width));
}

/**
 * How much goodput swings: the range of its moving means over 5 buckets, by the mean of the span.
 *
 * Chance alone makes this about 4 / √(requests in 5 buckets) within a minute.
 */
export function oscillation(recording: Recording, span: Span = {}): number {
  const rates = goodputs(recording, span);
  const means = movingMeans(rates);
  return (Math.max(...means) - Math.min(...means)) / mean(rates);
}

/** A part of a recording that begins with a change. */
export type AfterStep = Span & {
  /** When something changed. */
  readonly from: number;
  /** How far from the final mean still counts as there. Default: 0.1. */
  readonly tolerance?: number;
};

/**
 * Milliseconds from a change until goodput is what it is in the end; `Infinity` if it never is.
 *
 * The end is the last quarter of the span. It is there from the first of its moving means over 5
 * buckets from which on all of them are within 10 % of the mean of that quarter.
 */
export function settlingTime(recording: Recording, after: AfterStep): number {
  const { tolerance = 0.1 } = after;
  const rates = goodputs(recording, after);
  const end = Math.floor((3 * rates.length) / 4);
  const final = mean(rates.slice(end));
  const means = movingMeans(rates);
  const away = means.findLastIndex((rate) => Math.abs(rate - final) > tolerance * final);
  return away + 1 > Math.min(end, means.length - 1) ? Infinity : (away + 1) * recording.width;
}

function within({ buckets, duration }: Recording, { from = 0, to = duration }: Span): Bucket[] {
  return buckets.filter(({ start }) => start >= from && start < to);
}

function talliesOf(bucket: Bucket, { priority, route }: Span): readonly RequestTally[] {
  const tallies = route === undefined ? bucket.tallies : bucket.routes[route];
  if (tallies === undefined) return [];
  return priority === undefined ? PRIORITIES.map((each) => tallies[each]) : [tallies[priority]];
}

function add(sum: RequestTally, { latencies, ...counts }: RequestTally): void {
  for (const latency of latencies) sum.latencies.push(latency);
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) sum[name] += counts[name];
}

/** Goodput a second, bucket by bucket. */
function goodputs(recording: Recording, span: Span): number[] {
  return within(recording, span).map((bucket) => {
    const served = talliesOf(bucket, span).reduce((sum, tally) => sum + tally.served, 0);
    return (served * 1000) / recording.width;
  });
}
