import type { Amount, LeaseRef, Plan, Settlement } from "./algorithm.ts";
import type { Decision, Value } from "./decision.ts";
import type { State } from "./state.ts";

/** Whether a store answers at once, in this process, or later, across a network. */
export type Mode = "now" | "later";

/** An answer of a store: the thing itself, or a promise of it. `await` serves both. */
export type Answer<M extends Mode, T> = M extends "now" ? T : Promise<T>;

/** Whose budget, under which limit. */
export type Budget = {
  readonly plan: Plan;
  /** At most 264 UTF-16 units; undefined for the limit's one global budget. */
  readonly key: string | undefined;
};

/** What a store is asked to take, from which budget. */
export type Ask = Budget & Amount;

/** A state as it is at one instant, in milliseconds since 1970. */
export type Sight = { readonly state: State; readonly now: number };

/**
 * Where state lives. A store carries states and makes a step indivisible; it decides nothing itself.
 *
 * Every number it is given has been checked. Each call happens wholly or not at all, and no two
 * calls on one budget happen at once. Its own clock tells the time. Budgets are told apart by
 * `plan.limit` and `key`; a plan that differs from the one a state was written under is a limit that
 * changed while it ran (`reconcile` in `spillway/algorithms`).
 */
export type Store<M extends Mode = Mode> = {
  readonly mode: M;
  /** True where no other process can use it, so that nobody elsewhere waits for its units. */
  readonly isOwn?: true;
  /** Takes from one budget. */
  limit(ask: Ask): Answer<M, Decision>;
  /** Answers what `limit` would, and changes nothing. */
  check(ask: Ask): Answer<M, Decision>;
  /**
   * Takes from several budgets, no two the same: from all of them or from none. In the latter case
   * those that would have been admitted tell what is left (`notCharged` in `spillway/algorithms`).
   */
  limitAll(asks: readonly Ask[]): Answer<M, readonly Decision[]>;
  /** Answers what `limitAll` would, and changes nothing. */
  checkAll(asks: readonly Ask[]): Answer<M, readonly Decision[]>;
  /** Replaces an estimate that was taken by the true number, and tells what is left. */
  settle(budget: Budget, settlement: Settlement): Answer<M, Value>;
  /** Gives back what a lease holds; false where it was not in flight any more, and frees nothing. */
  release(budget: Budget, held: LeaseRef): Answer<M, boolean>;
  /** Lets a lease last for its whole time from now; false where it was not in flight any more. */
  renew(budget: Budget, held: LeaseRef): Answer<M, boolean>;
  /** Tells what is left. */
  value(budget: Budget): Answer<M, Value>;
  /** Shows the states themselves, in order; good until the store is next called. */
  look(budgets: readonly Budget[]): Answer<M, readonly Sight[]>;
  /** Forgets what was used. A block stays. */
  reset(budget: Budget): Answer<M, void>;
  /** Refuses everything for `ms`, 1 to 366 days, from now, in place of any earlier block. */
  block(budget: Budget, ms: number): Answer<M, void>;
  /** Ends a block. What was used stays. */
  unblock(budget: Budget): Answer<M, void>;
  /**
   * The same budgets, in a transaction of the caller's: what is done there is done when it commits,
   * and never happened when it is rolled back. Only stores that keep states in a database have it.
   *
   * @throws SpillwayError `bad-transaction`
   */
  within?(transaction: object): Store<M>;
};
