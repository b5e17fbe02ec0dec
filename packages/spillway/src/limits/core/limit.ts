import type { Duration } from "./durations.ts";
import type { RATE_KINDS, RateKind } from "./kinds.ts";
import type { Penalty } from "./penalty.ts";

/** The largest capacity, rate, debt or count. */
export const MOST_UNITS = 1_000_000_000;

/** The answer of a limit while its shared store is unavailable; see `docs/limiter.md`. */
export type WhenUnavailable = "closed" | "open" | "local";

/**
 * How a limit is enforced. `"enforce"`: it refuses. `"shadow"`: it decides and counts, but admits.
 * `"off"`: it is not asked. See `docs/modes.md`.
 */
export type LimitMode = "enforce" | "shadow" | "off";

/** All modes, from the strictest to the weakest. */
export const LIMIT_MODES: readonly LimitMode[] = ["enforce", "shadow", "off"];

/** Fields of every limit. */
type CommonFields = {
  /**
   * The answer while a shared store is unavailable: `"closed"` refuses, `"open"` admits everything,
   * `"local"` counts in this process. Default: the limiter's own setting, else `"closed"`.
   */
  readonly whenUnavailable?: WhenUnavailable;
  /** How the limit is enforced, until `setMode` of the limiter changes it. Default: `"enforce"`. */
  readonly mode?: LimitMode;
  /** Names of groups that the limit belongs to, for `setMode` on all limits of a group. */
  readonly groups?: readonly string[];
};

/** Fields of every rate: how many units come back, and in which period. */
type RateFields = CommonFields & {
  /** Units that come back in one period: a whole number from 0 to 10⁹. 0 refuses everything. */
  readonly rate: number;
  /** Milliseconds from 1 to 366 days, or text such as `"10s"`, `"1m"`, `"12h"`, `"30d"`. */
  readonly period: Duration;
  /**
   * Blocks a key that is refused `after` times within a time, for a time that doubles. Default:
   * nothing. Not with `share` or `shards`, and not for keys that many callers share, such as the
   * address of an office. See `docs/penalties.md`.
   */
  readonly penalty?: Penalty;
};

type ShardFields = {
  /**
   * Spreads each key over this many budgets, for a key so busy that its row or its node of a shared
   * store is the bottleneck: 1 to 1000, at most the rate and the capacity. Default: 1. A store in
   * this process has no such bottleneck and keeps one budget.
   *
   * An admission reports what is left in the shard that served it: the key has at least that much.
   * A refusal looks at all shards and, like `value`, reports the whole. Don't use it for a limit
   * with fewer than about ten units a shard, or for calls nearly as large as a shard. A change of
   * this number forgets all use.
   */
  readonly shards?: number;
};

type LendingFields = {
  /**
   * Lends units of a shared store to this process, which then decides in memory. The value is the
   * longest time that it holds them: at least 100 ms, as a number or as text such as `"10s"`.
   * Default: the store makes every decision. A store in this process ignores it.
   *
   * The limit admits no more than without it. A block by another process takes effect after this
   * time at the latest, and the units of a crashed process are missing as long. At most the period
   * of a window; not with `shards`. See `docs/shares.md`.
   */
  readonly share?: Duration;
};

/** Fields of limits with a capacity of their own and reservations. */
type CapacityFields = {
  /**
   * The maximum number of units a key can hold: a whole number from 0 to 10⁹. Default: the rate.
   */
  readonly capacity?: number;
  /**
   * The maximum number of units that can be taken ahead of time, up to 10⁹; 0 allows none. Default:
   * only the wait is bounded, to 2³¹ − 1 ms (24.8 days), the longest timer. With a number, work may
   * start later than that.
   */
  readonly maxReserved?: number;
};

type AlignmentFields = {
  /**
   * An instant at which a window begins, in milliseconds since 1970 UTC; all others follow from it.
   * 0 aligns windows to UTC.
   *
   * Default: derived from the limit's name and the key. It is the same in every process and differs
   * from key to key, so that not all callers return at once.
   */
  readonly start?: number;
};

/** A rate of one kind, with the fields that the kind has. */
type RateOf<K extends RateKind> = RateFields &
  ((typeof RATE_KINDS)[K]["queues"] extends true ? unknown : ShardFields) &
  ((typeof RATE_KINDS)[K]["lentNumber"] extends 0 ? unknown : LendingFields) &
  ((typeof RATE_KINDS)[K]["holds"] extends true ? CapacityFields : unknown) &
  ((typeof RATE_KINDS)[K]["windows"] extends true ? AlignmentFields : unknown) & {
    readonly kind: K;
  };

/** Units refill continuously: bursts up to the capacity, the rate on average. */
export type TokenBucket = RateOf<"token bucket">;

/** Units come back all at once when a window ends. Unused units roll over up to the capacity. */
export type FixedWindow = RateOf<"fixed window">;

/** The previous window's units fade as the present one goes by: two numbers, a close estimate. */
export type SlidingWindow = RateOf<"sliding window">;

/** Every admitted call is remembered for one period: exact in every span, at the cost of memory. */
export type SlidingLog = RateOf<"sliding log">;

/** Calls queue and start evenly spaced; a full queue refuses. */
export type LeakyBucket = RateOf<"leaky bucket">;

/**
 * A number of units in flight at once. Each is held by a lease until that is released or expires.
 */
export type Concurrency = CommonFields & {
  readonly kind: "concurrency";
  /**
   * The maximum number of units in flight at once: a whole number from 0 to 10⁹. 0 refuses
   * everything.
   */
  readonly capacity: number;
  /**
   * How long a lease lasts without renewal, so that a crashed holder is forgotten: milliseconds
   * from 1 to 366 days, or text such as `"30s"`. Choose a multiple of the work's duration.
   */
  readonly ttl: Duration;
  /**
   * Keeps released places of a shared store in this process for its next callers. A place is given
   * back this long after it was taken, at the latest. 100 ms or more, as a number or as text such
   * as `"10s"`. Default: each lease is taken from the store. A store in this process ignores it.
   *
   * No more is in flight than without it. A block by another process takes effect after this time
   * at the latest, and the places of a crashed process are missing that much longer than `ttl`.
   * Together with `ttl`, at most 365 days. See `docs/shares.md`.
   */
  readonly share?: Duration;
};

/** A limit whose units come back by themselves in time. */
export type Rate = { [K in RateKind]: RateOf<K> }[RateKind];

/** A limit: plain data, so that it can come from code, a file or a database. */
export type Limit = Rate | Concurrency;

/** The name of an algorithm. */
export type Kind = Limit["kind"];

/** The kinds whose units can be taken ahead of time. */
export type ReservableKind = {
  [K in RateKind]: (typeof RATE_KINDS)[K]["holds"] extends true ? K : never;
}[RateKind];

/** Whether a limit counts units in flight. For a plan, `family` says so. Pure. */
export function isConcurrency(limit: Limit): limit is Concurrency {
  return limit.kind === "concurrency";
}

/** Limits by name. */
export type Limits = { readonly [name: string]: Limit };
