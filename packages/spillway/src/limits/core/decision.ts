/**
 * Why a call was refused.
 *
 * - `limited`: the key has used what it may; come back after `retryAfter`.
 * - `too large`: more units than the limit can ever hold; no wait helps.
 * - `blocked`: the key was blocked by hand.
 * - `shed`: the system is in trouble, whoever asks.
 * - `unavailable`: the store failed; never the caller's fault.
 */
export type Reason = "limited" | "too large" | "blocked" | "shed" | "unavailable";

/** The answer to a call: a value, never an exception. All times are milliseconds from now. */
export type Decision = {
  /** True: go (after `retryAfter`, where that is not 0). False: no. */
  readonly ok: boolean;
  /** The name of the limit that decided. */
  readonly limit: string;
  /** The most units the key can hold. */
  readonly capacity: number;
  /** Whole units left now, after this ask; never negative. */
  readonly remaining: number;
  /**
   * Refused: the least whole number of milliseconds after which the same ask is admitted if nothing
   * else happens; `Infinity` where no wait can help. Admitted: when the work may start, which is 0
   * unless it was reserved or queued.
   */
  readonly retryAfter: number;
  /** Milliseconds until the key is fully reset. `Infinity` where it never will be. */
  readonly resetAfter: number;
  /** Why not. */
  readonly reason: Reason | undefined;
  /** The answer was found without the store. */
  readonly degraded: true | undefined;
  /**
   * Refused by a concurrency limit: the milliseconds after which units are probably free, from how
   * long leases of the limit were held lately in this process. From 1 to `retryAfter`.
   *
   * An estimate, no promise: others may come first, and work may take longer. Until one was given back it
   * is a second, for how long work takes is not known. Undefined where `retryAfter` is exact. Never said by a store.
   */
  readonly estimatedRetryAfter?: number | undefined;
};

/** The answer to several asks taken together: all are charged, or none is. */
export type JointDecision = Decision & {
  /** The names of the limits that refused, in the order they were asked; empty when `ok`. */
  readonly refused: readonly string[];
  /**
   * One decision for each limit that was asked for, in order. Where the whole is refused nothing was charged, and those
   * that would have been admitted say what is left all the same.
   */
  readonly decisions: readonly Decision[];
};

/** What a key has left: what a page shows its user. All times are milliseconds from now. */
export type Value = {
  /** The limit's name. */
  readonly limit: string;
  /** The most units the key can hold. */
  readonly capacity: number;
  /** Whole units left now; never negative. */
  readonly remaining: number;
  /** Units taken ahead of time and not yet earned back: the debt, rounded up. */
  readonly reserved: number;
  /** Milliseconds until the key is fully reset. */
  readonly resetAfter: number;
  /** Milliseconds for which the key is still blocked; 0 if it is not. */
  readonly blockedFor: number;
  /** The parts of several regions, the near one first; only from a store over regions, whose `remaining` is of here. */
  readonly regions?: readonly RegionPart[] | undefined;
};

/** What a process knows of a key's part in one region. */
export type RegionPart = {
  readonly region: string;
  /** The most units that the part can hold. */
  readonly capacity: number;
  /** Whole units that it had left when it was last heard of; undefined where it has not been yet. */
  readonly remaining: number | undefined;
  /** Milliseconds since then: 0 for the near one, `Infinity` where it has not been heard of yet. */
  readonly age: number;
  /** Units of it that this process holds. */
  readonly held: number;
  /** Milliseconds by which its clock is ahead of that of the near one; undefined while that is not known. */
  readonly clock: number | undefined;
};
