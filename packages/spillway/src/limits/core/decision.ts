import type { LimitMode } from "./limit.ts";

/**
 * Why a call was refused.
 *
 * - `limited`: the key has used all it may; retry after `retryAfter`.
 * - `too large`: more units than the limit can ever hold; no wait helps.
 * - `blocked`: the key was blocked explicitly.
 * - `penalized`: the key was refused so often that the limit blocks it for a time.
 * - `shed`: the system is overloaded, regardless of the caller.
 * - `unavailable`: the store failed; never the caller's fault.
 */
export type Reason = "limited" | "too large" | "blocked" | "penalized" | "shed" | "unavailable";

/** The answer to a call: a value, never an exception. All times are milliseconds from now. */
export type Decision = {
  /** True: start after `retryAfter`, which is mostly 0. False: refused. */
  readonly ok: boolean;
  /** The name of the limit that decided. */
  readonly limit: string;
  /** The maximum number of units the key can hold. */
  readonly capacity: number;
  /** Whole units left now, after this call; never negative. */
  readonly remaining: number;
  /**
   * Refused: the least whole number of milliseconds after which the same call is admitted if
   * nothing else happens; `Infinity` if no wait can help. Admitted: when the work may start, which
   * is 0 unless it was reserved or queued.
   */
  readonly retryAfter: number;
  /** Milliseconds until the key is fully reset; `Infinity` if it never will be. */
  readonly resetAfter: number;
  /** Why the call was refused; undefined if it was admitted. */
  readonly reason: Reason | undefined;
  /** True if the store did not take part in the decision. */
  readonly degraded: true | undefined;
  /**
   * An estimate of the milliseconds until units are free, from recent durations of leases in this
   * process. From 1 to `retryAfter`. Only for refusals by a concurrency limit.
   *
   * Not a promise: other calls may come first, and work may take longer. Until a first lease has
   * been released it is one second, because durations are unknown. Undefined if `retryAfter` is
   * exact. Stores never set it.
   */
  readonly estimatedRetryAfter?: number | undefined;
  /** The limit's mode if it is not enforced. With `"off"` nothing was asked, and nothing taken. */
  readonly mode?: Exclude<LimitMode, "enforce"> | undefined;
  /**
   * In shadow mode: the decision by which the call would have been refused or would start later. A
   * refusal took nothing. Undefined if enforcing the limit would have made no difference.
   */
  readonly shadowed?: Decision | undefined;
  /** True if an override of the key decided, in place of its limit's definition. */
  readonly overridden?: true | undefined;
};

/** The answer to several calls taken together: all are charged, or none is. */
export type JointDecision = Decision & {
  /** The names of the limits that refused, in the order of the calls; empty if `ok`. */
  readonly refused: readonly string[];
  /**
   * One decision for each limit, in order. If the whole is refused, nothing was charged. The
   * decisions of limits that would have admitted still contain what is left.
   */
  readonly decisions: readonly Decision[];
};

/** The state of a key for display. All times are milliseconds from now. */
export type Value = {
  /** The limit's name. */
  readonly limit: string;
  /** The maximum number of units the key can hold. */
  readonly capacity: number;
  /** Whole units left now; never negative. */
  readonly remaining: number;
  /** Units taken ahead of time and not yet earned back: the debt, rounded up. */
  readonly reserved: number;
  /** Milliseconds until the key is fully reset. */
  readonly resetAfter: number;
  /** Milliseconds for which the key is still blocked; 0 if it is not. */
  readonly blockedFor: number;
  /** True if that block is a penalty, for refusals. */
  readonly penalized?: true | undefined;
  /** Milliseconds for which the key still has an override; undefined if it has none. */
  readonly overriddenFor?: number | undefined;
  /**
   * The parts of several regions, the near one first. Only from a store over regions, whose
   * `remaining` is that of the near region.
   */
  readonly regions?: readonly RegionPart[] | undefined;
};

/** The state of a key's part in one region, as far as this process knows. */
export type RegionPart = {
  readonly region: string;
  /** The maximum number of units that the part can hold. */
  readonly capacity: number;
  /** Whole units left at the last contact; undefined before the first. */
  readonly remaining: number | undefined;
  /** Milliseconds since the last contact: 0 for the near region, `Infinity` before the first. */
  readonly age: number;
  /** Units of the part that this process holds. */
  readonly held: number;
  /** Milliseconds by which the region's clock is ahead of the near one; undefined while unknown. */
  readonly clock: number | undefined;
};
