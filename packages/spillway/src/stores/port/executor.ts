import type {
  Answer,
  Budget,
  Command,
  CommandOf,
  Mode,
  Observer,
  Verb,
} from "../../limits/core/index.ts";

/** What came of one command: its answer, or why there is none. */
export type Outcome = { readonly answer: unknown } | { readonly error: Error };

/** What is known of a request beside its commands. */
export type RequestInfo = {
  /** Where the budgets of its commands are kept. */
  readonly slot: number;
  /** Whether it is to find out if the store is there again. */
  readonly isProbe: boolean;
  /** Whether nobody waits for an answer any more: then nothing is to be sent. */
  readonly isLate: () => boolean;
  /** Receives what comes of its commands, where a cache wants to know. */
  readonly observer: Observer | undefined;
};

/**
 * Carries out commands where states are kept. What it does not care about it leaves out: then all
 * budgets are kept in one slot of one node, and every failure is the node's.
 */
export type Executor<M extends Mode = Mode> = {
  readonly mode: M;
  /** What events call it. */
  readonly name: string;
  /** What messages call it: where it is, without secrets. Default: its name. */
  readonly place?: string | undefined;
  /**
   * Carries out commands in order, each wholly or not at all. With mode `"now"` there is one.
   *
   * Fails as a whole where the store failed, which may then have carried them out all the same. A
   * `SpillwayError` of one that answers at once is misuse, and is thrown on.
   */
  execute(commands: readonly Command[], request: RequestInfo): Answer<M, readonly Outcome[]>;
  /** The most budgets that one request may name; 128 by default. */
  readonly mostBudgets?: number;
  /**
   * The most budgets that one node may be sent at once: as many as it surely deals with in time, and
   * enough to keep it busy; 1024 by default. What is more waits in this process.
   */
  readonly mostInFlight?: number;
  /** Where a budget is kept: only budgets of one slot can be changed indivisibly. */
  slotOf?(budget: Budget): number;
  /**
   * Which machine keeps a slot, or, with mode `"now"`, serves a verb: what fails together. By default
   * one, its `name`. With mode `"later"` requests mix verbs, and it is asked for `limit` alone.
   */
  nodeOf?(slot: number, verb: Verb): string;
  /** Whether a failure says something of the whole node, and not of the slot or the command alone. */
  blamesNode?(error: Error): boolean;
  /**
   * Whether a failure may be that of one command in a request, none of which has been carried out: each
   * is then sent again on its own.
   */
  mayConcernOne?(error: Error): boolean;
  /** What is known to keep a command from being carried out now: it is not sent then. */
  obstacle?(command: Command): Error | undefined;
  /** What is known to be wrong with the connection, while it is none. */
  trouble?(): Error | undefined;
  /**
   * Joins a transaction of the caller's, where there is such a thing: what is carried out there is
   * carried out in it, in the order in which it was asked.
   *
   * @throws SpillwayError `bad-transaction`
   */
  within?(transaction: object): Executor<M>;
  /**
   * Whether the transaction that it has joined is over, so that what it is asked of a lease is to be asked outside;
   * see `StoreWithin`.
   */
  isOver?(command: CommandOf<"release" | "renew">): Answer<M, boolean>;
};
