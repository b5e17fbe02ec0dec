import type {
  Answer,
  Budget,
  Command,
  CommandOf,
  Observer,
  RegisterAnswer,
  RegisterCommand,
  Timing,
  Verb,
} from "../../limits/core/index.ts";

/** The outcome of one command: its answer, or the error in its place. */
export type CommandOutcome = { readonly answer: unknown } | { readonly error: Error };

/** The properties of a request, passed to an executor with its commands. */
export type RequestInfo = {
  /** The slot in which the budgets of its commands are kept. */
  readonly slot: number;
  /** Whether the request tests if the store is available again. */
  readonly isProbe: boolean;
  /** Whether the answer is no longer needed. Then the request must not be sent. */
  readonly isLate: () => boolean;
  /** Receives the results of its commands, if a cache needs them. */
  readonly observer: Observer | undefined;
};

/**
 * Carries out commands where states are kept.
 *
 * Its optional members may be missing. Then all budgets are kept in one slot of one node, and every
 * failure is the node's.
 */
export type Executor<M extends Timing = Timing> = {
  readonly timing: M;
  /** Its name in events. */
  readonly name: string;
  /** Its name in messages: where it is, without secrets. Default: `name`. */
  readonly place?: string | undefined;
  /** True if it carries out `override`. */
  readonly overrides?: true;
  /** True if it counts refusals of limits with `penalty`, and blocks for them. */
  readonly penalties?: true;
  /**
   * Carries out commands in order, each of them atomically. With timing `"now"` there is one
   * command.
   *
   * Fails as a whole if the store failed. The store may have carried the commands out all the same.
   * If an executor with timing `"now"` throws a `SpillwayError`, the cause is misuse, and the error
   * is passed on to the caller.
   */
  execute(commands: readonly Command[], request: RequestInfo): Answer<M, readonly CommandOutcome[]>;
  /**
   * Carries out a command of the register, if the store has one; see `Store`.
   *
   * @param isLate Whether the answer is no longer needed. Then the command must not be sent.
   */
  register?<C extends RegisterCommand>(
    command: C,
    isLate: () => boolean,
  ): Answer<M, RegisterAnswer<C>>;
  /** The maximum number of budgets that one request may name. Default: 128. */
  readonly mostBudgets?: number;
  /**
   * The maximum number of budgets in flight to one node. Default: 1024.
   *
   * As many as the node can certainly handle in time, and enough to keep it busy. More wait in this
   * process.
   */
  readonly mostInFlight?: number;
  /** Returns the slot of a budget. Only budgets of one slot can be changed indivisibly. */
  slotOf?(budget: Budget): number;
  /**
   * Returns the node that keeps a slot or, with timing `"now"`, serves a verb. A node fails as a
   * whole.
   *
   * Default: a single node, `name`. With timing `"later"`, one request carries commands of several
   * verbs, so `verb` is always `limit`.
   */
  nodeOf?(slot: number, verb: Verb): string;
  /** Whether a failure concerns the whole node, and not only the slot or the command. */
  blamesNode?(error: Error): boolean;
  /**
   * Whether one command may have caused a request to fail in which no command was carried out.
   *
   * Each command is then sent again in a request of its own.
   */
  mayConcernOne?(error: Error): boolean;
  /**
   * Returns a known reason why a command can't be carried out now. The command is not sent then.
   */
  obstacle?(command: Command): Error | undefined;
  /** Returns the known problem of the connection while it is not open. */
  trouble?(): Error | undefined;
  /**
   * Joins a transaction of the caller, if the store has transactions.
   *
   * Commands are carried out in it, in the order in which they were sent.
   *
   * @throws SpillwayError `bad-transaction`
   */
  within?(transaction: object): Executor<M>;
  /**
   * Whether the joined transaction is over, so that commands on a lease must be sent outside of it.
   *
   * See `StoreWithin`.
   */
  isOver?(command: CommandOf<"release" | "renew">): Answer<M, boolean>;
};
