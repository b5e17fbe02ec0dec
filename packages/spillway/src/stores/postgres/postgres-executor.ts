import { plainBudgetId } from "../../internal/index.ts";
import type { Command, Verb } from "../../limits/core/index.ts";
import {
  type CommandOutcome,
  type Executor,
  PortRequest,
  type RequestInfo,
  replay,
} from "../index.ts";
import {
  adaptTransaction,
  type PostgresConnection,
  type Statement,
  sqlState,
} from "./clients/index.ts";
import { explained } from "./errors.ts";
import { LockedRows } from "./locked-rows.ts";
import { readReply } from "./reply.ts";
import { type ExecutorSettings, TransactionExecutor } from "./transaction-executor.ts";

/** What an executor works with outside of the caller's transactions. */
export type PostgresExecutorSettings = ExecutorSettings & {
  /** What messages call the database. */
  readonly place: string;
  readonly connection: PostgresConnection;
  /** Whether statements are prepared, in the caller's transactions too. */
  readonly prepare: boolean;
};

/** A transaction lost to another one that was there at the same time: it may win the next time. */
const LOST = new Set(["40001", "40P01"]);
/** Another transaction has locked a row for longer than the lock timeout. */
const ROW_LOCKED = "55P03";
/** How many lock timeouts fit into a deadline. */
const LOCK_TIMEOUTS = 5;
/** What locks no row. */
const READS: ReadonlySet<Verb> = new Set(["check", "value", "peek"]);
/** Classes of errors that come of what was asked or found, and not of the server. */
const OF_DATA = /^(?:22|23|54|P0)/;

/** Carries out commands in Postgres: each request is one statement, in a transaction of its own. */
export class PostgresExecutor implements Executor<"later"> {
  readonly mode = "later";
  readonly name = "postgres";
  readonly place: string;
  // Enough to share what a statement costs, and few enough that several connections have work.
  readonly mostBudgets = 32;
  // Work for the ten connections of a usual pool.
  readonly mostInFlight = 400;
  readonly #settings: PostgresExecutorSettings;
  /** Undefined while there are none. */
  #locked: LockedRows | undefined;

  constructor(settings: PostgresExecutorSettings) {
    this.#settings = settings;
    this.place = settings.place;
  }

  blamesNode(error: Error): boolean {
    const state = sqlState(error) ?? "";
    return state !== ROW_LOCKED && !LOST.has(state) && !OF_DATA.test(state);
  }

  mayConcernOne(error: Error): boolean {
    const state = sqlState(error) ?? "";
    return state === ROW_LOCKED || OF_DATA.test(state);
  }

  obstacle({ verb, budgets }: Command): Error | undefined {
    if (this.#locked === undefined || READS.has(verb)) return undefined;
    if (!this.#locked.includes(budgets.map(plainBudgetId))) return undefined;
    return new Error("row locked by another transaction");
  }

  async execute(
    commands: readonly Command[],
    { isLate, observer }: RequestInfo,
  ): Promise<readonly CommandOutcome[]> {
    const { statements, sweeper, clock, deadline } = this.#settings;
    const request = new PortRequest(commands, plainBudgetId);
    // For the row, and first for requests that wait for it already; then there is time to try again.
    const lockTimeout = Math.ceil(deadline / LOCK_TIMEOUTS);
    const statement = statements.execute(request, { now: clock?.(), lockTimeout });
    try {
      const reply = await this.#run(statement, isLate);
      if (this.#locked?.remove(request.names) === 0) this.#locked = undefined;
      if (request.steps.length > 0) sweeper.passed(request.names);
      return replay(request, readReply(request, reply, statement.order), observer);
    } catch (error) {
      if (sqlState(error) === ROW_LOCKED) await this.#addLocked(request.names, isLate);
      throw error;
    }
  }

  async #addLocked(ids: readonly string[], isLate: () => boolean): Promise<void> {
    const locked = await this.#lockedAmong(ids, isLate);
    this.#locked ??= new LockedRows(this.#settings.deadline);
    this.#locked.add(locked);
  }

  /** Which of some rows other transactions have locked; none where that can't be found out. */
  async #lockedAmong(ids: readonly string[], isLate: () => boolean): Promise<readonly string[]> {
    if (ids.length === 1) return ids;
    const { connection, statements } = this.#settings;
    try {
      return JSON.parse(await connection.run(statements.locked(ids), isLate));
    } catch {
      return [];
    }
  }

  within(transaction: object): Executor<"later"> {
    const { connection: outside, prepare } = this.#settings;
    const inside = adaptTransaction(transaction, { prepare });
    return new TransactionExecutor({ ...this.#settings, inside, outside });
  }

  /** Runs a statement until it has not lost to another one, or nobody waits for it any more. */
  async #run(statement: Statement, isLate: () => boolean): Promise<string> {
    for (;;) {
      try {
        return await this.#settings.connection.run(statement, isLate);
      } catch (error) {
        if (LOST.has(sqlState(error) ?? "") && !isLate()) continue;
        throw explained(error, this.#settings.schema);
      }
    }
  }
}
