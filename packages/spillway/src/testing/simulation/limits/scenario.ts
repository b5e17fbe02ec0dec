import type { Limits, Random } from "../../../limits/core/index.ts";
import type { Curve } from "../curves.ts";
import type { Distribution } from "../distributions.ts";

/** Random calls of `limit` (a Poisson process). Each call arrives at one process. */
export type LimitTraffic = {
  /** The name of the limit. */
  readonly limit: string;
  /** Calls a second, of all processes together. */
  readonly rate: Curve;
  /**
   * The key, or a function that draws a key for each call, such as `zipf`. Default: the limit's
   * global budget.
   */
  readonly key?: string | ((random: Random) => string);
  /** The units that each call takes, a whole number. Default: 1. */
  readonly count?: number;
  /**
   * The region in which calls arrive. Default: all regions, with equal traffic for each process.
   */
  readonly region?: string;
  /** The processes at which calls arrive, as indexes from 0 in each region. Default: all. */
  readonly processes?: readonly number[];
  /** The name under which these calls are also counted separately; see `name` of `LimitSpan`. */
  readonly name?: string;
};

/** One region of a simulation: a store and the processes next to it. */
export type SimulatedRegion = {
  /** The region's weight, as in `regionStore`: a whole number from 1 to 1000. */
  readonly part: number;
  /** The number of processes, from 1 to 1000. Default: 1. */
  readonly processes?: number;
};

/** An interval in milliseconds after the simulation began, from 0 to 10⁹. `to` is not included. */
export type TimeInterval = { readonly from: number; readonly to: number };

/** An interval in which a store does not answer. */
export type Outage = TimeInterval & {
  /** The region of the store. Default: the stores of all regions. */
  readonly region?: string;
};

/**
 * An interval in which no message enters or leaves a region. Its processes still reach their own
 * store.
 */
export type Partition = TimeInterval & { readonly region: string };

/** The stop of a process. It receives no calls from then on. */
export type ProcessStop = {
  /** The instant, in milliseconds after the simulation began, from 0 to 10⁹. */
  readonly at: number;
  /** The index of the process in its region, from 0. */
  readonly process: number;
  /** The region of the process. Required if there are several regions. Default: the only one. */
  readonly region?: string;
  /**
   * When a new process, which holds nothing, takes its place; the unit is that of `at`. Default:
   * never.
   */
  readonly until?: number;
  /**
   * Whether the process gives back what it holds, by `limiter.giveBack()`. Default: false, as with
   * `kill -9`.
   */
  readonly givesBack?: boolean;
};

/** A simulation of processes that share limits through stores. All times are in milliseconds. */
export type LimitScenario = {
  /** The seed of all random numbers, a whole number from 0 to 2³² − 1. Default: 1. */
  readonly seed?: number;
  /** The time in which calls arrive, a whole number from 1 to 10⁹. */
  readonly duration: number;
  /** The limits, as for a `RateLimiter`. */
  readonly limits: Limits;
  readonly traffic: readonly LimitTraffic[];
  /**
   * The number of processes that share one store, from 1 to 1000. Default: 1. Not allowed with
   * `regions`.
   */
  readonly processes?: number;
  /**
   * The regions by name. Each has its own store; `regionStore` joins them. Default: one store
   * without regions.
   */
  readonly regions?: { readonly [name: string]: SimulatedRegion };
  /** The delay of a message between a process and its own store, one way. Default: 0.5. */
  readonly latency?: Distribution;
  /** The delay of a message between two regions, one way. Default: 40. */
  readonly distance?: Distribution;
  /** The timeout of a call to the process's own store, from 1 to 60,000. Default: 50. */
  readonly deadline?: number;
  /** The timeout of a call to a store of another region, from 1 to 60,000. Default: 2000. */
  readonly farDeadline?: number;
  /** The `hold` of `regionStore`, from 100 to 3,600,000. Default: 10,000. */
  readonly hold?: number;
  readonly stops?: readonly ProcessStop[];
  readonly outages?: readonly Outage[];
  readonly partitions?: readonly Partition[];
  /** The length of a bucket of the recording, a whole number from 1 to 10⁹. Default: 1000. */
  readonly width?: number;
};
