import type { Limits, Random } from "../../../limits/core/index.ts";
import type { Curve } from "../curves.ts";
import type { Distribution } from "../distributions.ts";

/** Calls of `limit` that arrive by chance (a Poisson process), each at one process. */
export type LimitTraffic = {
  /** The name of the limit. */
  readonly limit: string;
  /** Calls a second, at all processes together. */
  readonly rate: Curve;
  /** The key, or what draws one for each call, such as `zipf`. Default: the limit's one global budget. */
  readonly key?: string | ((random: Random) => string);
  /** Units that a call takes: a whole number. Default: 1. */
  readonly count?: number;
  /** The region in which calls arrive. Default: all; each process gets as many. */
  readonly region?: string;
  /** The processes at which calls arrive, from 0 on, in each region. Default: all. */
  readonly processes?: readonly number[];
  /** Under which its calls are counted apart as well, as a `LimitSpan` asks. */
  readonly name?: string;
};

/** One region of a simulation: a store, and processes beside it. */
export type SimulatedRegion = {
  /** Its weight, as in `regionStore`: a whole number from 1 to 1000. */
  readonly part: number;
  /** How many processes it has: 1 to 1000. Default: 1. */
  readonly processes?: number;
};

/** From when until when something is so: milliseconds after the simulation began, 0 to 10⁹; `to` is out of it. */
export type TimeInterval = { readonly from: number; readonly to: number };

/** A store that answers nobody. */
export type Outage = TimeInterval & {
  /** Whose store. Default: that of every region. */
  readonly region?: string;
};

/** A region that no message enters or leaves; its processes reach their own store. */
export type Partition = TimeInterval & { readonly region: string };

/** The end of a process, to which nothing is sent from then on. */
export type ProcessStop = {
  /** When, in milliseconds after the simulation began: 0 to 10⁹. */
  readonly at: number;
  /** Which process of its region, from 0 on. */
  readonly process: number;
  /** Default: the only one. Needed where there are several. */
  readonly region?: string;
  /** When a new process takes its place, which holds nothing. Default: never. */
  readonly until?: number;
  /** Whether it gives back what it holds, by `limiter.giveBack()`. Default: false, as `kill -9` has it. */
  readonly givesBack?: boolean;
};

/** Processes that share limits over stores. All times are milliseconds. */
export type LimitScenario = {
  /** Where chance begins: a whole number from 0 to 2³² - 1. Default: 1. */
  readonly seed?: number;
  /** How long calls arrive: a whole number from 1 to 10⁹. */
  readonly duration: number;
  /** The limits, as for a `RateLimiter`. */
  readonly limits: Limits;
  readonly traffic: readonly LimitTraffic[];
  /** How many processes share one store: 1 to 1000. Default: 1. Not with `regions`. */
  readonly processes?: number;
  /** Regions by name, each with a store of its own, joined by `regionStore`. Default: one store. */
  readonly regions?: { readonly [name: string]: SimulatedRegion };
  /** How long a message takes from a process to its store, and back. Default: 0.5 each way. */
  readonly latency?: Distribution;
  /** How long a message takes from one region to another. Default: 40 each way. */
  readonly distance?: Distribution;
  /** After which a process gives up a call to its own store: 1 to a minute. Default: 50. */
  readonly deadline?: number;
  /** After which a process gives up a call to another region: 1 to a minute. Default: 2000. */
  readonly farDeadline?: number;
  /** The `hold` of `regionStore`: 100 to an hour. Default: 10 000. */
  readonly hold?: number;
  readonly stops?: readonly ProcessStop[];
  readonly outages?: readonly Outage[];
  readonly partitions?: readonly Partition[];
  /** How long a bucket of the recording lasts: a whole number from 1 to 10⁹. Default: 1000. */
  readonly width?: number;
};
