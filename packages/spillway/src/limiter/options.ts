/** The options of a limiter's methods. */
import type { StopSignal } from "../internal/index.ts";
import type { Duration, Limit, ReservableKind } from "../limits/core/index.ts";
import type { ReserveIsOnlyFor } from "./checked-limits.ts";

/** The budget of a call. */
export type KeyOptions = {
  /**
   * The key whose budget it is: any string. If missing, the limit is one budget for all callers.
   */
  readonly key?: string;
  /**
   * The limit itself, if it is not defined with the limiter. Overrides a defined limit of the same
   * name.
   */
  readonly config?: Limit;
};

/** How much a call takes. */
export type AmountOptions = KeyOptions & {
  /**
   * Units to take: a whole number. Default: 1. 0 takes nothing and asks whether one unit is left.
   */
  readonly count?: number;
  /**
   * Whether to take ahead of time what is not there yet. The work may start after the decision's
   * `retryAfter` and needs no second call.
   *
   * Not for a sliding window or a sliding log, which can't promise that. Default: false.
   */
  readonly reserve?: boolean;
};

/** The options of a call on a limit whose units can't be taken ahead of time. */
export type WithoutReserve<O> = Omit<O, "reserve"> & {
  readonly reserve?: false | ReserveIsOnlyFor<ReservableKind>;
};

/** How to return the answer. */
export type AnswerOptions = {
  /** Whether to throw a `RateLimitError` instead of returning a refusal. Default: false. */
  readonly throws?: boolean;
  /**
   * The maximum random delay that is added to a `retryAfter` above 0, in milliseconds. Default: 0.
   *
   * It prevents callers that wait for the same instant from returning together.
   */
  readonly jitter?: number;
};

/** The options of a call. */
export type AskOptions = AmountOptions & AnswerOptions;

/** The options of a call as implementations see them. All are checked at run time. */
export type AnyOptions = Omit<AskOptions, "reserve"> & { readonly reserve?: unknown };

/** How long a call waits for units in flight to be released. */
export type WaitOptions = {
  /**
   * How long to wait for a lease: milliseconds from 0 to 366 days, or text such as `"2s"`.
   *
   * Calls that wait in one process for one key are served in the order in which they came. Calls
   * that do not wait are not delayed by those that do.
   */
  readonly wait: Duration;
  /** Ends the wait: the promise rejects with the signal's reason, and nothing is taken. */
  readonly signal?: StopSignal;
};

/** The checked options of a wait: milliseconds, and the signal that ends it early. */
export type CheckedWait = { readonly ms: number; readonly signal: StopSignal | undefined };

/** The options of a call for a lease. */
export type AcquireOptions = Omit<AskOptions, "reserve"> & {
  /**
   * Units that must be left after it is taken, which keeps room for more important calls. Default:
   * 0.
   */
  readonly headroom?: number;
};

/** An estimate, for which units were taken, and the true number. */
export type SettleOptions = KeyOptions & {
  /** The `count` that was taken: a whole number from 0 to 10⁹. */
  readonly reserved: number;
  /** The number of units really used: a whole number from 0 to 10⁹. */
  readonly used: number;
};

/** The key to block, and for how long. */
export type BlockOptions = KeyOptions & {
  /** The length of the block: milliseconds from 1 to 366 days, or text such as `"15m"`. */
  readonly for: Duration;
  /**
   * The reason, for `exceptions`: 1 to 200 characters without control characters. Callers never see
   * it. Default: none.
   */
  readonly reason?: string;
};

/** The key to override, and the definition that it gets. */
export type OverrideOptions = KeyOptions & {
  /**
   * Units that come back in the limit's period: a whole number from 0 to 10⁹. Default: the limit's.
   */
  readonly rate?: number;
  /**
   * The most units that the key can hold: a whole number from 0 to 10⁹. Default: the limit's, or
   * the new rate if the limit's are equal.
   */
  readonly capacity?: number;
  /** Whether the key has no limit: then it is refused nothing up to 10⁹ units a millisecond. */
  readonly unlimited?: true;
  /**
   * How long: milliseconds from 1 to 366 days, or text such as `"7d"`. Default: until it is ended,
   * for 100 years at most.
   */
  readonly for?: Duration;
  /**
   * The reason, for `exceptions`: 1 to 200 characters without control characters. Callers never see
   * it. Default: none.
   */
  readonly reason?: string;
};

/** Which exceptions to list. */
export type ExceptionsOptions = KeyOptions & {
  /** Default: all limits of the limiter. Needed with a `key` or a `config`. */
  readonly limit?: string;
  /** The most exceptions of a page: 1 to 1000. Default: 100. */
  readonly most?: number;
  /** The `next` of the page before. Default: the first page. */
  readonly after?: string | undefined;
};
