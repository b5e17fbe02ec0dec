/** Options of a limiter's methods. */
import type { StopSignal } from "../internal/index.ts";
import type { Duration, Limit, ReservableKind } from "../limits/core/index.ts";
import type { ReserveIsOnlyFor } from "./checked-limits.ts";

/** Whose budget. */
export type KeyOptions = {
  /** Whose budget it is: any string. Left out, the limit is one budget for all. */
  readonly key?: string;
  /** The limit itself, where it is not defined with the limiter; overrides one that is. */
  readonly config?: Limit;
};

/** How much is asked for. */
export type AmountOptions = KeyOptions & {
  /** Units to take: a whole number. Default: 1. 0 takes none, and asks whether one is left. */
  readonly count?: number;
  /**
   * Take ahead of time what is not there yet: the work may start after the decision's `retryAfter`
   * and needs no second ask. Not for a sliding window or a sliding log, which can't promise that.
   */
  readonly reserve?: boolean;
};

/** Options of a call on a limit of which nothing can be taken ahead of time. */
export type WithoutReserve<O> = Omit<O, "reserve"> & {
  readonly reserve?: false | ReserveIsOnlyFor<ReservableKind>;
};

/** How the answer is given. */
export type AnswerOptions = {
  /** Throw a `RateLimitError` instead of returning a refusal. */
  readonly throws?: boolean;
  /**
   * Add up to this many random milliseconds to a `retryAfter` that is not 0, so that many who wait
   * for one instant do not come back at once. Default: 0.
   */
  readonly jitter?: number;
};

/** What a call may say. */
export type AskOptions = AmountOptions & AnswerOptions;

/** What a call may say as far as implementations know: all of it is checked. */
export type AnyOptions = Omit<AskOptions, "reserve"> & { readonly reserve?: unknown };

/** How long a call waits for what is in flight to come back. */
export type WaitOptions = {
  /**
   * How long to wait for a lease: milliseconds from 0 to 366 days, or text such as `"2s"`. Who waits
   * in one process for one key is served in the order in which they asked; who doesn't wait is not
   * held up by those who do.
   */
  readonly wait: Duration;
  /** Ends the waiting: the promise is rejected with the signal's reason, and nothing is taken. */
  readonly signal?: StopSignal;
};

/** The same, checked: milliseconds, and what ends the waiting before. */
export type CheckedWait = { readonly ms: number; readonly signal: StopSignal | undefined };

/** What a call for a lease may say. */
export type AcquireOptions = Omit<AskOptions, "reserve"> & {
  /** Units that have to be left when it is taken, for asks that matter more. Default: 0. */
  readonly headroom?: number;
};

/** An estimate that was taken, and the true number. */
export type SettleOptions = KeyOptions & {
  /** The `count` that was taken: a whole number. */
  readonly reserved: number;
  /** What was really used: a whole number. */
  readonly used: number;
};

/** Whose asks are to be refused, and how long. */
export type BlockOptions = KeyOptions & {
  /** How long: milliseconds from 1 to 366 days, or text such as `"15m"`. */
  readonly for: Duration;
};
