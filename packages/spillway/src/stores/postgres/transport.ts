import {
  type Clock,
  type ErrorCode,
  plainBudgetId,
  SpillwayError,
  type Warn,
} from "../../core/index.ts";
import {
  type Call,
  type Operation,
  type Reply,
  Request,
  type Transport,
} from "../../remote/index.ts";
import type { Connection } from "./clients/connect.ts";
import { joined } from "./clients/joined.ts";
import { sqlState } from "./clients/sql-state.ts";
import { explained } from "./errors.ts";
import { HeldRows } from "./held-rows.ts";
import { RowsReply } from "./reply.ts";
import { isLook, type Statements } from "./statements.ts";
import type { Sweeper } from "./sweeper.ts";

/** What a transport works with. */
export type TransportSettings = {
  readonly connection: Connection;
  readonly statements: Statements;
  readonly sweeper: Sweeper;
  /** What it is called, for messages. */
  readonly schema: string;
  /** Whether statements are prepared, in the caller's transactions too. */
  readonly prepare: boolean;
  /** Milliseconds after which nobody waits for an answer any more. */
  readonly deadline: number;
  /** In place of the server's own, for tests. */
  readonly clock: Clock | undefined;
  readonly warn: Warn;
};

/** A transaction lost to another one that was there at the same time: it may win the next time. */
const LOST = new Set(["40001", "40P01"]);
/** Somebody else has locked a row for longer than was waited. */
const ROW_LOCKED = "55P03";
/** Into how many waits for a row a deadline is divided. */
const PATIENCES = 5;
/** What locks no row. */
const LOOKS: ReadonlySet<Operation> = new Set(["check", "checkAll", "value", "look"]);
/** Classes of errors that come of what was asked or found, and not of the server. */
const OF_DATA = /^(?:22|23|54|P0)/;

/** Carries calls to Postgres: each request is one statement, in a transaction of its own. */
export class PostgresTransport implements Transport {
  // Enough to share what a statement costs, and few enough that several connections have work.
  readonly mostBudgets = 32;
  // Work for the ten connections of a usual pool.
  readonly mostInFlight = 400;
  readonly #settings: TransportSettings;
  readonly #held: HeldRows;
  readonly #warned = new Set<ErrorCode>();

  constructor(settings: TransportSettings) {
    this.#settings = settings;
    this.#held = new HeldRows(settings.deadline);
  }

  placeOf(): number {
    return 0;
  }

  nodeOf(): string {
    return "postgres";
  }

  blamesNode(error: Error): boolean {
    const state = sqlState(error) ?? "";
    return state !== ROW_LOCKED && !LOST.has(state) && !OF_DATA.test(state);
  }

  mayConcernOne(error: Error): boolean {
    const state = sqlState(error) ?? "";
    return state === ROW_LOCKED || OF_DATA.test(state);
  }

  obstacle({ operation, budgets }: Call): Error | undefined {
    if (LOOKS.has(operation) || !this.#held.has(budgets.map(plainBudgetId))) return undefined;
    return new Error("somebody's transaction holds the row");
  }

  trouble(): undefined {
    return undefined;
  }

  async send(_place: number, calls: readonly Call[], late: () => boolean): Promise<Reply> {
    const { connection, statements, sweeper, clock, deadline } = this.#settings;
    const request = new Request(calls, plainBudgetId);
    // For the row, and first for whoever waits for it already; then there is time to ask again.
    const patience = Math.ceil(deadline / PATIENCES);
    const statement = statements.carryOut(request, { now: clock?.(), patience });
    try {
      const reply = await this.#again(() => connection.run(statement, late), late);
      this.#held.free(request.names);
      if (!isLook(request)) sweeper.passed(request.names);
      return new RowsReply(request, reply);
    } catch (error) {
      if (sqlState(error) === ROW_LOCKED)
        this.#held.found(await this.#heldAmong(request.names, late));
      throw error;
    }
  }

  /** Which of some rows somebody holds; none where that can't be found out. */
  async #heldAmong(ids: readonly string[], late: () => boolean): Promise<readonly string[]> {
    if (ids.length === 1) return ids;
    const { connection, statements } = this.#settings;
    try {
      return JSON.parse(await connection.run(statements.held(ids), late));
    } catch {
      return [];
    }
  }

  within(transaction: object): (calls: readonly Call[]) => Promise<Reply> {
    const { statements, sweeper, clock, prepare } = this.#settings;
    const connection = joined(transaction, { prepare });
    return async (calls) => {
      const request = new Request(calls, plainBudgetId);
      const statement = statements.carryOut(request, { now: clock?.(), patience: undefined });
      const reply = await connection
        .run(statement, () => false)
        .catch((error) => {
          throw explained(error, this.#settings.schema);
        });
      if (!isLook(request)) sweeper.passed(request.names);
      return new RowsReply(request, reply);
    };
  }

  /** Runs a statement until it has not lost to another one, or nobody waits for it any more. */
  async #again(run: () => Promise<string>, late: () => boolean): Promise<string> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (LOST.has(sqlState(error) ?? "") && !late()) continue;
        throw this.#told(explained(error, this.#settings.schema));
      }
    }
  }

  /** What the program has to be changed for is told, once, even if nobody listens to events. */
  #told(error: unknown): unknown {
    if (error instanceof SpillwayError && !this.#warned.has(error.code)) {
      this.#warned.add(error.code);
      this.#settings.warn(error.message);
    }
    return error;
  }
}
