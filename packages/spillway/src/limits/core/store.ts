import type { Plan, State } from "./algorithm.ts";
import type { Amount, Draw, LeaseRef, Lent, Settlement } from "./amounts.ts";
import type { Decision, Value } from "./decision.ts";
import type { LimitMode, WhenUnavailable } from "./limit.ts";
import type { PenaltySettings } from "./penalty.ts";
import type { RegisterAnswer, RegisterCommand } from "./register.ts";

/** Whether a store answers at once, in this process, or later, across a network. */
export type Timing = "now" | "later";

/** An answer of a store: a value, or a promise of it. `await` works with both. */
export type Answer<M extends Timing, T> = M extends "now" ? T : Promise<T>;

/**
 * How a limit is kept, beside its arithmetic. Stores that keep states read `penalty` alone; the
 * rest is for decorators.
 */
export type LimitSettings = {
  /** The answer while a shared store is unavailable. */
  readonly whenUnavailable: WhenUnavailable;
  /** The number of budgets that a key is spread over. */
  readonly shards: number;
  /** How the limit is enforced now. Default: `"enforce"`. */
  readonly mode?: LimitMode;
  /** When a key that is refused again and again is blocked. Default: never. */
  readonly penalty?: PenaltySettings | undefined;
};

/** A plan and a key, whose use is counted separately. */
export type Budget = {
  readonly plan: Plan;
  /** At most 264 UTF-16 units; undefined for the limit's one global budget. */
  readonly key: string | undefined;
  /** Default: `"closed"`, and one budget a key. */
  readonly settings?: LimitSettings | undefined;
  /** The budget of which this is one shard; undefined for all others. */
  readonly shardOf?: Budget | undefined;
  /**
   * Another budget whose windows this one shares if the limit has no `start`, for stores that keep
   * budgets under other names than their programs use. Default: windows that its own name and key
   * determine.
   */
  readonly alignedWith?: Pick<Budget, "key"> & { readonly limit: string };
};

/** A budget, and the amount to take from it. */
export type Ask = Budget & Amount;

/** A copy of a state at one instant, in milliseconds since 1970. */
export type StateSnapshot = { readonly state: State; readonly now: number };

/** The answer to a draw: the decision on its call, and the units lent. */
export type Drawn = {
  /**
   * `remaining` is from before the lending, `resetAfter` from after it, as if all lent units were
   * used.
   */
  readonly decision: Decision;
  readonly lent: Lent;
};

/** A command on one budget. */
type OnOne = { readonly budgets: readonly [Budget] };

/** The commands of a store: for each verb its fields, and its answer. */
export type Verbs = {
  /**
   * Takes from budgets, no two the same: from all of them or from none. If it takes from none, the
   * decisions of budgets that would have admitted contain what is left. Each budget that refused by
   * itself, under a limit with `penalty`, counts one refusal.
   */
  limit: { command: { readonly budgets: readonly Ask[] }; answer: readonly Decision[] };
  /** Returns what `limit` would return, and changes nothing. */
  check: { command: { readonly budgets: readonly Ask[] }; answer: readonly Decision[] };
  /**
   * Takes from a budget of a limit with `share`, as `limit` does. Before that it records a holder's
   * report on its shares; after it, if it admits, it lends units to the holder. With a count of 0
   * it takes nothing.
   */
  draw: { command: { readonly budgets: readonly [Ask]; readonly draw: Draw }; answer: Drawn };
  /** Replaces an estimate with the true number, and returns what is left. */
  settle: { command: OnOne & { readonly settlement: Settlement }; answer: Value };
  /** Releases a lease. Returns false, and frees nothing, if it was not in flight any more. */
  release: { command: OnOne & { readonly lease: LeaseRef }; answer: boolean };
  /**
   * Extends a lease to its full duration from now. Returns false if it was not in flight any more.
   */
  renew: { command: OnOne & { readonly lease: LeaseRef }; answer: boolean };
  /** Returns what is left. */
  value: { command: OnOne; answer: Value };
  /**
   * Returns copies of the states, in order. With `units`, a store may merge entries of logs on
   * which no answer to a call for at most that many units depends.
   */
  peek: {
    command: { readonly budgets: readonly Budget[]; readonly units?: number };
    answer: readonly StateSnapshot[];
  };
  /** Forgets what was used, and refusals. A block and the level of penalties stay. */
  reset: { command: OnOne; answer: undefined };
  /**
   * Refuses everything for `ms`, 1 to 366 days, from now. Replaces any earlier block, also that of
   * a penalty, whose level stays.
   */
  block: { command: OnOne & { readonly ms: number }; answer: undefined };
  /** Ends a block, and forgets refusals and penalties. Used units stay used. */
  unblock: { command: OnOne; answer: undefined };
  /**
   * Puts a plan in place of the budget's own, for this key alone, for `ms` from now: 1 to 100
   * years. Replaces an earlier override. With 0 the override ends, and the plan does not count.
   */
  override: { command: OnOne & { readonly plan: Plan; readonly ms: number }; answer: undefined };
};

/** The name of a command. */
export type Verb = keyof Verbs;

/** A command with one of some verbs. */
export type CommandOf<V extends Verb> = {
  [K in V]: { readonly verb: K } & Verbs[K]["command"];
}[V];

/** A command: plain data, every number of which has been checked. */
export type Command = CommandOf<Verb>;

/** The answer to a command. */
export type AnswerTo<C extends Command> = Verbs[C["verb"]]["answer"];

/**
 * Keeps states. It decides nothing itself.
 *
 * Each command is atomic, and commands on one budget run one after the other. The time is that of
 * the store's own clock. Budgets are distinguished by `plan.limit` and `key`. If a plan differs
 * from the one that a state was written under, the limit has changed while it ran (`reconcile` in
 * `spillway/algorithms`).
 */
export type Store<M extends Timing = Timing> = {
  readonly timing: M;
  /** True if no other process can use the store, so that no other process waits for its units. */
  readonly isOwn?: true;
  /** True if it carries out `override`. Other stores are refused by name when one is needed. */
  readonly overrides?: true;
  /**
   * True if it counts refusals of limits with `penalty` and blocks for them. Other stores are
   * refused by name when a limit has one.
   */
  readonly penalties?: true;
  /** Carries out a command. */
  execute<C extends Command>(command: C): Answer<M, AnswerTo<C>>;
  /**
   * Carries out a `limit` command on one budget without a command object, for stores that decide as
   * fast as one is allocated.
   */
  limit?(ask: Ask): Answer<M, Decision>;
  /**
   * Returns a store for the same budgets in a transaction of the caller. Its commands take effect
   * when that commits, and have no effect if it is rolled back. Only stores that keep states in a
   * database have it.
   *
   * @throws SpillwayError `bad-transaction`
   */
  within?(transaction: object): StoreWithin<M>;
  /**
   * Carries out a command of the register, which keeps the reasons of blocks and overrides. Entries
   * may be removed once they have ended. Only stores that can list the exceptions of keys have it.
   */
  register?<C extends RegisterCommand>(command: C): Answer<M, RegisterAnswer<C>>;
  /**
   * Notifies a cache of what commands find out. Only stores across a network have it.
   *
   * @param begin Called when commands are sent. The observer that it returns receives their
   * results.
   */
  observe?(begin: () => Observer): void;
  /** The units lent to this process, for stores that lend units of limits with `share`. */
  readonly lending?: Lending<M>;
};

/** A store in one transaction of the caller. */
export type StoreWithin<M extends Timing = Timing> = Store<M> & {
  /**
   * Whether the transaction in which a lease was taken has been committed or rolled back. Then the
   * lease is released and renewed outside of it. The transaction's connection may be in another
   * transaction by now. If missing, this is known only after a command has failed.
   */
  isOver?(command: CommandOf<"release" | "renew">): Answer<M, boolean>;
};

/** The units of a store that are lent to this process. */
export type Lending<M extends Timing = Timing> = {
  /**
   * Gives back all held units, so that others have them at once, and draws no more: from then on
   * each call goes to the store. Units that can't be given back expire, after `share` at the
   * latest.
   */
  giveBack(): Answer<M, undefined>;
  /**
   * Gives back the units held under some plans, and draws no more under them: from then on such
   * calls go to the store. For limits that are about to change, because units held under one
   * definition count as used under the next. Has no effect on concurrency limits. Stores of regions
   * don't have it.
   */
  retire?(plans: readonly Plan[]): Answer<M, undefined>;
  /** Returns how much is held. */
  numbers(): LendingNumbers;
};

/** How much is lent to a process. */
export type LendingNumbers = {
  /** The number of keys in recent use. */
  readonly keys: number;
  /** Units held now, of all keys. */
  readonly held: number;
  /** Units lent so far. */
  readonly lent: number;
};

/** Receives the results of commands, in their order. */
export type Observer = {
  /**
   * Called if a call was refused, or would have been, or if a state was only read. The log in the
   * snapshot is valid for the call's `count`, and for fewer units unless it `isSummary`; without a
   * count, for any.
   */
  refused(budget: Budget & { readonly count?: number }, snapshot: StateSnapshot): void;
  /** Called after units were taken from a budget. */
  taken(budget: Budget): void;
  /**
   * Called after a budget was changed other than by a call: earlier snapshots are no longer valid.
   */
  changed(budget: Budget): void;
};
