import type { Budget, LeaseRef, Settlement, State } from "../core/index.ts";

/** What a store can be asked. */
export type Operation =
  | "limit"
  | "check"
  | "limitAll"
  | "checkAll"
  | "settle"
  | "release"
  | "renew"
  | "value"
  | "look"
  | "reset"
  | "block"
  | "unblock";

/** One call on a store, as it travels: one shape for all operations. */
export type Call = {
  readonly operation: Operation;
  /** On which budgets, no two the same; asks where the operation takes or would take. */
  readonly budgets: readonly Budget[];
  /** For `settle`. */
  readonly settlement: Settlement | undefined;
  /** For `release` and `renew`. */
  readonly held: LeaseRef | undefined;
  /** For `block`. */
  readonly ms: number;
};

/** What came back for the calls of one request. */
export type Reply = {
  /** The store's time, in milliseconds since 1970. */
  readonly now: number;
  /** How many budgets were charged: what the caller's own arithmetic has to agree with. */
  readonly charged: number;
  /**
   * The state of the nth budget of the nth call, as it was before the request: the same view for
   * the same budget, so that what one call writes the next one sees.
   *
   * @throws Error where there is none to be had, for that call alone.
   */
  state(call: number, budget: number): State;
};

/**
 * Carries calls to where states are kept, and carries them out there.
 *
 * What is kept there decides who is admitted; it does so with a port of the pure steps, and answers
 * with the states as they were. The numbers of an answer are worked out here, by the steps.
 */
export type Transport = {
  /** The most budgets that one request may name. */
  readonly mostBudgets: number;
  /**
   * The most budgets that one node may be sent at once: as many as it surely deals with in time, and
   * enough to keep it busy. What is more waits in this process.
   */
  readonly mostInFlight: number;
  /** Where a budget is kept: only budgets of one place can be changed indivisibly. */
  placeOf(budget: Budget): number;
  /** Which machine keeps a place: what fails together. */
  nodeOf(place: number): string;
  /** Whether a failure says something of the whole node, and not of the place or the call alone. */
  blamesNode(error: Error): boolean;
  /**
   * Whether a failure may be that of one call in a request, none of which has been carried out: each
   * is then sent again on its own.
   */
  mayConcernOne(error: Error): boolean;
  /** What is known to keep a call from being carried out now: it is not sent then. */
  obstacle(call: Call): Error | undefined;
  /** What is known to be wrong with the connection, while it is none. */
  trouble(): Error | undefined;
  /**
   * Carries out calls in order, each wholly or not at all. Sends nothing once `late` says so.
   *
   * @returns A promise that rejects where the store failed. It may then have carried them out.
   */
  send(place: number, calls: readonly Call[], late: () => boolean): Promise<Reply>;
  /**
   * Joins a transaction of the caller's, where there is such a thing: what is sent there is carried
   * out in it, in the order in which it was sent.
   *
   * @throws SpillwayError `bad-transaction`
   */
  within?(transaction: object): (calls: readonly Call[]) => Promise<Reply>;
};
