import type { Duration } from "./durations.ts";
import type { RATE_KINDS, RateKind } from "./kinds.ts";

/** The most units that a capacity, a rate, a debt or a count can name. */
export const MOST_UNITS = 1_000_000_000;

/** What to answer while a shared store gives none; see `docs/limiter.md`. */
export type WhenUnavailable = "closed" | "open" | "local";

/** What every limit may state of how it is kept. */
type Keeping = {
  /**
   * What to answer while a shared store gives none: `"closed"` refuses, `"open"` admits everything,
   * `"local"` counts in this process. Default: the limiter's own setting, and else `"closed"`.
   */
  readonly whenUnavailable?: WhenUnavailable;
};

/** What every limit of a rate states: how many units come back, and in what time. */
type Pace = Keeping & {
  /** Units that come back in one period: a whole number from 0 to 10⁹. 0 refuses everything. */
  readonly rate: number;
  /** Milliseconds from 1 to 366 days, or text such as `"10s"`, `"1m"`, `"12h"`, `"30d"`. */
  readonly period: Duration;
};

type Sharded = {
  /**
   * Spreads each key over this many budgets, for a key so busy that its row or its node of a shared
   * store is the bottleneck: 1 to 1000, at most the rate and the capacity. Default: 1. A store in
   * this process has neither, and keeps one budget.
   *
   * An admission then says what the shard that served it has left: the key has at least so much. A
   * refusal looks at all shards, and with `value` reports the whole. Not for a limit of less than some
   * ten units a shard, nor for asks nearly as large as a shard; changing it forgets what was used.
   */
  readonly shards?: number;
};

type Lent = {
  /**
   * Lends units of a shared store to this process, which then decides in memory: the longest time that
   * it holds them, in milliseconds from 100, or text such as `"10s"`. Left out, every decision is the
   * store's. A store in this process has nobody to lend to, and decides as without it.
   *
   * So late is a block from elsewhere seen, and for so long the units of a process that died are
   * missing. The limit admits no more than without it. At most the period of a window; not with
   * `shards`. See `docs/shares.md`.
   */
  readonly share?: Duration;
};

/** What limits have that can hold more or less than their rate, and be taken ahead of time. */
type Holding = {
  /** The most units a key can hold: a whole number from 0 to 10⁹. Default: the rate. */
  readonly capacity?: number;
  /**
   * The most units that can be taken ahead of time, to 10⁹: 0 is none. Left out, only the wait is bounded: work starts
   * within 2³¹ − 1 ms, some 24.8 days, where timers end. With a number it may start later.
   */
  readonly maxReserved?: number;
};

type Aligned = {
  /**
   * An instant at which a window begins, in milliseconds since 1970 UTC; all others follow from it.
   * 0 aligns to UTC. Left out, it derives from the limit's name and the key: the same on every
   * process, different from key to key, so that not everybody comes back at once.
   */
  readonly start?: number;
};

/** A rate of one kind, with the fields that its traits give it. */
type RateOf<K extends RateKind> = Pace &
  ((typeof RATE_KINDS)[K]["queues"] extends true ? unknown : Sharded) &
  ((typeof RATE_KINDS)[K]["lentNumber"] extends 0 ? unknown : Lent) &
  ((typeof RATE_KINDS)[K]["holds"] extends true ? Holding : unknown) &
  ((typeof RATE_KINDS)[K]["windows"] extends true ? Aligned : unknown) & { readonly kind: K };

/** Units drip back all the time: bursts up to the capacity, the rate on average. */
export type TokenBucket = RateOf<"token bucket">;

/** Units come back all at once when a window ends; what is unused rolls over up to the capacity. */
export type FixedWindow = RateOf<"fixed window">;

/** The last window's units fade as the present one goes by: two numbers, a close estimate. */
export type SlidingWindow = RateOf<"sliding window">;

/** Every admitted ask is remembered for one period: exact in every span, and costs memory. */
export type SlidingLog = RateOf<"sliding log">;

/** Asks queue and start evenly spaced; a full queue refuses. */
export type LeakyBucket = RateOf<"leaky bucket">;

/** So many units in flight at once: each is held by a lease until that is released, or its time is over. */
export type Concurrency = Keeping & {
  readonly kind: "concurrency";
  /** The most units in flight at once: a whole number from 0 to 10⁹. 0 refuses everything. */
  readonly capacity: number;
  /**
   * How long a lease lasts that nobody renews, so that a holder that died is forgotten: milliseconds
   * from 1 to 366 days, or text such as `"30s"`. Some times as long as the work.
   */
  readonly ttl: Duration;
  /**
   * Keeps places of a shared store in this process once they are given back, for the next who asks: for at most so
   * long after they were taken, in milliseconds from 100, or text such as `"10s"`. Left out, each lease is taken from
   * the store. A store in this process has nobody to keep them from, and decides as without it.
   *
   * So late is a block from elsewhere seen, and so much longer than `ttl` are the places of a process that died
   * missing. No more is in flight than without it. With `ttl`, at most 365 days. See `docs/shares.md`.
   */
  readonly share?: Duration;
};

/** A limit of units in time: they come back by themselves. */
export type Rate = { [K in RateKind]: RateOf<K> }[RateKind];

/** A limit: plain data, so that it can come from code, a file or a database. */
export type Limit = Rate | Concurrency;

/** The name of an algorithm. */
export type Kind = Limit["kind"];

/** The kinds of which units can be taken ahead of time. */
export type ReservableKind = {
  [K in RateKind]: (typeof RATE_KINDS)[K]["holds"] extends true ? K : never;
}[RateKind];

/** Whether a limit is one of units in flight. Of a plan, `family` says it. Pure. */
export function isConcurrency(limit: Limit): limit is Concurrency {
  return limit.kind === "concurrency";
}

/** Limits by name. */
export type Limits = { readonly [name: string]: Limit };
