/**
 * Figures from a recording. All functions are pure. Times are milliseconds after the simulation
 * began.
 */
import { PRIORITIES, type Priority } from "../../shedding/index.ts";
import { mean, movingMeans, quantile } from "./readings.ts";
import { type Bucket, emptyTally, type Recording, type RequestTally } from "./recording.ts";

/** A part of a recording: the buckets that begin at or after `from` and before `to`. */
export type Span = {
  /** Default: 0. */
  readonly from?: number;
  /** Default: the recording's `duration`. */
  readonly to?: number;
  /** The priority to count. Default: all. */
  readonly priority?: Priority;
  /** The name of the route to count. Default: all routes, with and without a name. */
  readonly route?: string;
};

/** Returns the sum of all tallies in a span. */
export function total(recording: Recording, span: Span = {}): RequestTally {
  const sum = emptyTally();
  for (const bucket of within(recording, span)) {
    for (const tally of talliesOf(bucket, span)) add(sum, tally);
  }
  return sum;
}

/** Returns the attempts served in time, per second. NaN if the span has no buckets. */
export function goodput(recording: Recording, span: Span = {}): number {
  return mean(goodputs(recording, span));
}

/**
 * Returns the share of requests for which an attempt was served in time; 1 if there are no
 * requests.
 */
export function successRate(recording: Recording, span: Span = {}): number {
  const { arrived, succeeded } = total(recording, span);
  return arrived === 0 ? 1 : succeeded / arrived;
}

/**
 * Returns a quantile of the latencies of served attempts, in ms; undefined if there are none.
 *
 * `rank` is from 0 to 1. Late attempts are included.
 */
export function latency(
  recording: Recording,
  { rank, ...span }: Span & { readonly rank: number },
): number | undefined {
  return quantile(total(recording, span).latencies, rank);
}

/**
 * Returns the share of the time in which the process used the CPU. NaN if the span has no buckets.
 */
export function cpuShare(recording: Recording, span: Span = {}): number {
  return mean(within(recording, span).map(({ cpu }) => cpu / recording.width));
}

/**
 * Returns how much goodput swings: the range of its moving means over 5 buckets, divided by the
 * mean of the span.
 *
 * Chance alone gives about 4 / √(requests in 5 buckets) within a minute. The span needs at least 5
 * buckets.
 */
export function oscillation(recording: Recording, span: Span = {}): number {
  const rates = goodputs(recording, span);
  const means = movingMeans(rates);
  return (Math.max(...means) - Math.min(...means)) / mean(rates);
}

/** A part of a recording that begins with a change. */
export type AfterStep = Span & {
  /** The instant of the change. */
  readonly from: number;
  /**
   * The largest deviation from the final mean that counts as settled, as a share of that mean.
   * Default: 0.1.
   */
  readonly tolerance?: number;
};

/**
 * Returns the milliseconds from a change until goodput has settled. `Infinity` if it never does.
 *
 * The final goodput is the mean of the last quarter of the span. Goodput has settled when all
 * moving means over 5 buckets from there on are within `tolerance` of it. It never settles if that
 * is only after the last quarter has begun.
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

/** Returns the goodput of each bucket, per second. */
function goodputs(recording: Recording, span: Span): number[] {
  return within(recording, span).map((bucket) => {
    const served = talliesOf(bucket, span).reduce((sum, tally) => sum + tally.served, 0);
    return (served * 1000) / recording.width;
  });
}
