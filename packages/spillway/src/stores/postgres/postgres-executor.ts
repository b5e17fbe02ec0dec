import { plainBudgetId } from "../../internal/index.ts";
import type { Command, RegisterAnswer, RegisterCommand, Verb } from "../../limits/core/index.ts";
import {
  type CommandOutcome,
  type Executor,
  PortError,
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
import { readRegisterReply } from "./register-statements.ts";
import { LEFT, readReply } from "./reply.ts";
import { type ExecutorSettings, TransactionExecutor } from "./transaction-executor.ts";

/** The parts and settings of an executor outside of the caller's transactions. */
export type PostgresExecutorSettings = ExecutorSettings & {
  /** The name of the database in messages. */
  readonly place: string;
  readonly connection: PostgresConnection;
  /** Whether statements are prepared, also in the caller's transactions. */
  readonly prepare: boolean;
};

/**
 * A transaction lost to a concurrent one, by a serialization failure or a deadlock. A retry may
 * succeed.
 */
const LOST = new Set(["40001", "40P01"]);
/** Another transaction has locked a row for longer than the lock timeout. */
const ROW_LOCKED = "55P03";
/** The number of lock timeouts in a deadline. */
const LOCK_TIMEOUTS = 5;
/**
 * The number of upserts, which leave nothing, at the start and after an update that has left a
 * budget: more keys may be new. An upsert costs more than an update, and less than both. The number
 * doubles with each update in a row that has left one, up to the second number.
 */
const CAUTIOUS = 8;
const MOST_CAUTIOUS = 256;
/** Commands that lock no row. */
const READS: ReadonlySet<Verb> = new Set(["check", "value", "peek"]);
/** Classes of errors that come from the request or the data, not from the server. */
const OF_DATA = /^(?:22|23|54|P0)/;

/** Executes commands in Postgres: each request is one statement, in a transaction of its own. */
export class PostgresExecutor implements Executor<"later"> {
  readonly timing = "later";
  readonly overrides = true;
  readonly penalties = true;
  readonly name = "postgres";
  readonly place: string;
  // Enough to share the fixed cost of a statement, and few enough that several connections have
  // work.
  readonly mostBudgets = 32;
  // Enough work for the ten connections of a usual pool.
  readonly mostInFlight = 400;
  readonly #settings: PostgresExecutorSettings;
  /** The next statements that must leave nothing. Decides how a request is sent, not its answer. */
  #toLeaveNothing = CAUTIOUS;
  /** The number of them after the next update that leaves a budget. */
  #caution = CAUTIOUS;
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
    info: RequestInfo,
  ): Promise<readonly CommandOutcome[]> {
    const mayLeave = commands.length === 1 || this.#toLeaveNothing === 0;
    if (!mayLeave) this.#toLeaveNothing--;
    const outcomes = await this.#send(commands, info, { mayLeave });
    const left = commands.filter((_, nth) => isLeft(outcomes[nth]));
    if (left.length === 0) {
      if (mayLeave && commands.length > 1) this.#caution = CAUTIOUS;
      return outcomes;
    }
    this.#toLeaveNothing = this.#caution;
    this.#caution = Math.min(2 * this.#caution, MOST_CAUTIOUS);
    const isAll = left.length === commands.length;
    const others = await (isAll ? this.#send(left, info) : this.#sendLeft(left, info));
    const next = others.values();
    return outcomes.map((one) => (isLeft(one) ? (next.next().value as CommandOutcome) : one));
  }

  /**
   * Carries out the commands that a statement has left, in a transaction of their own. If that
   * fails, the others of the statement were carried out all the same.
   *
   * @throws PortError which concerns the request as a whole.
   */
  async #sendLeft(left: readonly Command[], info: RequestInfo): Promise<readonly CommandOutcome[]> {
    try {
      return await this.#send(left, info);
    } catch (thrown) {
      const error = thrown as Error;
      if (error instanceof PortError) throw error;
      if (left.length === 1 || !this.mayConcernOne(error)) return left.map(() => ({ error }));
      const alone = left.map(async (one) => {
        const obstacle = this.obstacle(one);
        return obstacle === undefined ? this.#sendLeft([one], info) : [{ error: obstacle }];
      });
      return (await Promise.all(alone)).flat();
    }
  }

  async #send(
    commands: readonly Command[],
    { isLate, observer }: RequestInfo,
    { mayLeave = false } = {},
  ): Promise<readonly CommandOutcome[]> {
    const { statements, sweeper } = this.#settings;
    const request = new PortRequest(commands, plainBudgetId);
    const statement = statements.execute(request, { ...this.#context(), mayLeave });
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

  #context(): { readonly now: number | undefined; readonly lockTimeout: number } {
    const { clock, deadline } = this.#settings;
    // This timeout may pass twice: behind requests that already wait for the row, then for the row.
    // There is still time for a retry.
    return { now: clock?.(), lockTimeout: Math.ceil(deadline / LOCK_TIMEOUTS) };
  }

  async register<C extends RegisterCommand>(
    command: C,
    isLate: () => boolean,
  ): Promise<RegisterAnswer<C>> {
    const context = { ...this.#context(), mayLeave: false };
    const statement = this.#settings.register.of(command, context);
    return readRegisterReply(command, await this.#run(statement, isLate));
  }

  async #addLocked(ids: readonly string[], isLate: () => boolean): Promise<void> {
    const locked = await this.#lockedAmong(ids, isLate);
    this.#locked ??= new LockedRows(this.#settings.deadline);
    this.#locked.add(locked);
  }

  /** Returns the rows that other transactions have locked; none if that can't be found out. */
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

  /**
   * Runs a statement. Retries it while it loses to concurrent transactions and the caller still
   * waits.
   */
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

function isLeft(outcome: CommandOutcome | undefined): boolean {
  return outcome !== undefined && "error" in outcome && outcome.error === LEFT;
}
