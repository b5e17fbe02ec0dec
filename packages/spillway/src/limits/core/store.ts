import type { Plan, State } from "./algorithm.ts";
import type { Amount, Draw, LeaseRef, Lent, Settlement } from "./amounts.ts";
import type { Decision, Value } from "./decision.ts";
import type { WhenUnavailable } from "./limit.ts";

/** Whether a store answers at once, in this process, or later, across a network. */
export type Mode = "now" | "later";

/** An answer of a store: the thing itself, or a promise of it. `await` serves both. */
export type Answer<M extends Mode, T> = M extends "now" ? T : Promise<T>;

/** How a limit is kept, beside its arithmetic: read by decorators, not by what keeps states. */
export type LimitSettings = {
  /** What to answer while a shared store gives none. */
  readonly whenUnavailable: WhenUnavailable;
  /** How many budgets a key is spread over. */
  readonly shards: number;
};

/** Whose budget, under which limit. */
export type Budget = {
  readonly plan: Plan;
  /** At most 264 UTF-16 units; undefined for the limit's one global budget. */
  readonly key: string | undefined;
  /** Default: `"closed"`, and one budget a key. */
  readonly settings?: LimitSettings | undefined;
  /** The budget that this is one shard of; left out of all others. */
  readonly shardOf?: Budget | undefined;
  /**
   * Another budget with whose windows its own begin, where the limit has no `start`: for stores that keep
   * budgets under other names than their programs do. Default: those that its own name and key lead to.
   */
  readonly alignedWith?: Pick<Budget, "key"> & { readonly limit: string };
};

/** What a store is asked to take, from which budget. */
export type Ask = Budget & Amount;

/** A copy of a state, as it is at one instant, in milliseconds since 1970. */
export type StateSnapshot = { readonly state: State; readonly now: number };

/** The answer to a draw: the decision on what was asked, and what was lent. */
export type Drawn = {
  /** `remaining` is of before units are lent, `resetAfter` of after that: as if all of them were used. */
  readonly decision: Decision;
  readonly lent: Lent;
};

/** A command on one budget. */
type OnOne = { readonly budgets: readonly [Budget] };

/** What a store can be asked: for each verb what a command says, and what it is answered. */
export type Verbs = {
  /**
   * Takes from budgets, no two the same: from all of them or from none. In the latter case those that
   * would have been admitted say what is left.
   */
  limit: { command: { readonly budgets: readonly Ask[] }; answer: readonly Decision[] };
  /** Answers what `limit` would, and changes nothing. */
  check: { command: { readonly budgets: readonly Ask[] }; answer: readonly Decision[] };
  /**
   * Takes from a budget as `limit` does, of a limit with `share`; before that notes what a holder of shares
   * says of them, and after it, where it admits, lends units to it. With a count of 0 it takes nothing.
   */
  draw: { command: { readonly budgets: readonly [Ask]; readonly draw: Draw }; answer: Drawn };
  /** Replaces an estimate that was taken by the true number, and answers what is left. */
  settle: { command: OnOne & { readonly settlement: Settlement }; answer: Value };
  /** Gives back what a lease holds; false where it was not in flight any more, and frees nothing. */
  release: { command: OnOne & { readonly lease: LeaseRef }; answer: boolean };
  /** Lets a lease last for its whole time from now; false where it was not in flight any more. */
  renew: { command: OnOne & { readonly lease: LeaseRef }; answer: boolean };
  /** Answers what is left. */
  value: { command: OnOne; answer: Value };
  /**
   * Answers copies of the states themselves, in order. With `units`, a store may merge entries of logs
   * that no answer to a call for so many units or fewer depends on.
   */
  peek: {
    command: { readonly budgets: readonly Budget[]; readonly units?: number };
    answer: readonly StateSnapshot[];
  };
  /** Forgets what was used. A block stays. */
  reset: { command: OnOne; answer: undefined };
  /** Refuses everything for `ms`, 1 to 366 days, from now, in place of any earlier block. */
  block: { command: OnOne & { readonly ms: number }; answer: undefined };
  /** Ends a block. What was used stays. */
  unblock: { command: OnOne; answer: undefined };
};

/** The name of something that a store can be asked. */
export type Verb = keyof Verbs;

/** What a command with one of some verbs says. */
export type CommandOf<V extends Verb> = {
  [K in V]: { readonly verb: K } & Verbs[K]["command"];
}[V];

/** What a store is asked: plain data, every number of which has been checked. */
export type Command = CommandOf<Verb>;

/** What a command is answered. */
export type AnswerTo<C extends Command> = Verbs[C["verb"]]["answer"];

/**
 * Where state lives. A store carries states and makes a command indivisible; it decides nothing itself.
 *
 * Each command is carried out wholly or not at all, and no two on one budget at once. The store's own
 * clock gives the time. Budgets are distinguished by `plan.limit` and `key`; a plan that differs from the
 * one a state was written under is a limit that changed while it ran (`reconcile` in
 * `spillway/algorithms`).
 */
export type Store<M extends Mode = Mode> = {
  readonly mode: M;
  /** True where no other process can use it, so that nobody elsewhere waits for its units. */
  readonly isOwn?: true;
  /** Carries out a command. */
  execute<C extends Command>(command: C): Answer<M, AnswerTo<C>>;
  /**
   * A `limit` command on one budget, without the command: for stores that decide as fast as one is
   * made.
   */
  limit?(ask: Ask): Answer<M, Decision>;
  /**
   * The same budgets, in a transaction of the caller's: what is done there is done when it commits,
   * and never happened when it is rolled back. Only stores that keep states in a database have it.
   *
   * @throws SpillwayError `bad-transaction`
   */
  within?(transaction: object): StoreWithin<M>;
  /**
   * Has a cache notified of what commands find out. Only stores that are far away have it.
   *
   * @param begin Called when commands set out; what it returns receives what comes of them.
   */
  observe?(begin: () => Observer): void;
  /** What is lent to this process, for stores that lend units of limits with `share`. */
  readonly lending?: Lending<M>;
};

/** A store in a transaction of the caller's: for that one alone. */
export type StoreWithin<M extends Mode = Mode> = Store<M> & {
  /**
   * Whether the transaction is over in which a lease was taken, however it ended: then the lease is released and
   * renewed outside. The transaction's connection may be in another one by now. Left out, nothing is known before a
   * command fails.
   */
  isOver?(command: CommandOf<"release" | "renew">): Answer<M, boolean>;
};

/** Units of a store that are lent to this process. */
export type Lending<M extends Mode = Mode> = {
  /**
   * Gives back what is held, so that others have it at once, and draws nothing any more: from then on each call
   * goes to the store. What can't be given back is over by itself, after `share` at the latest.
   */
  giveBack(): Answer<M, undefined>;
  /**
   * Gives back what is held under some plans, and draws nothing under them any more: asks under these go to the
   * store from then on. For limits that are about to change, because what is held under one definition counts as used
   * under the next. Does nothing for concurrency limits. Stores of regions don't have it.
   */
  retire?(plans: readonly Plan[]): Answer<M, undefined>;
  /** How much is held. */
  numbers(): LendingNumbers;
};

/** How much is lent to a process. */
export type LendingNumbers = {
  /** Keys that were asked for lately. */
  readonly keys: number;
  /** Units that are held, of all keys. */
  readonly held: number;
  /** Units that were lent so far. */
  readonly lent: number;
};

/** Receives what comes of commands, in their order. */
export type Observer = {
  /**
   * A call was refused, or would have been, or a state was only read. What is known of a log holds for
   * the call's `count`, and for fewer units unless it `isSummary`; without one, for any.
   */
  refused(budget: Budget & { readonly count?: number }, snapshot: StateSnapshot): void;
  /** Units were taken from a budget. */
  taken(budget: Budget): void;
  /** A budget was changed other than by a call: what was known of it is no longer true. */
  changed(budget: Budget): void;
};
