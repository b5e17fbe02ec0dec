import { type Clock, type Command, SpillwayError, type Verb } from "../../core/index.ts";
import type { BusyTimeout } from "./busy-timeout.ts";
import { hasTransaction, isDatabase, type SqliteDatabase } from "./database.ts";
import { Definitions } from "./definitions.ts";
import { Rows } from "./rows.ts";
import { SqliteExecutor, type SqliteExecutorSettings } from "./sqlite-executor.ts";
import { Sweeper } from "./sweeper.ts";
import { quoted } from "./table.ts";
import { CallersTransaction, checkOpen, OwnTransactions } from "./transactions.ts";

/** The executors over one table, one for each connection: statements are prepared once. */
export class Executors {
  readonly #table: string;
  readonly #clock: Clock;
  readonly #busyTimeout: BusyTimeout;
  readonly #definitions = new Definitions();
  readonly #sweeper = new Sweeper();
  readonly #ofCallers = new WeakMap<SqliteDatabase, SqliteExecutor>();

  constructor(table: string, clock: Clock, timeout: BusyTimeout) {
    this.#table = table;
    this.#clock = clock;
    this.#busyTimeout = timeout;
  }

  /** One whose every call is a transaction of its own. */
  own(database: SqliteDatabase, rows: Rows): SqliteExecutor {
    const within = (transaction: object) => this.within(transaction);
    const obstacle = ({ verb }: Command) => (AFTER.has(verb) ? ofOthers(database) : undefined);
    return this.#executor({ rows, transactions: new OwnTransactions(database), within, obstacle });
  }

  /**
   * One whose calls are part of the transaction that is open on a connection.
   *
   * @throws SpillwayError `bad-transaction`
   */
  within(transaction: object): SqliteExecutor {
    if (!isDatabase(transaction)) throw notOne(transaction);
    checkOpen(transaction);
    const known = this.#ofCallers.get(transaction);
    if (known !== undefined) return known;
    const rows = this.#rowsOf(transaction);
    const transactions = new CallersTransaction(transaction, () => rows.lock());
    const executor = this.#executor({ rows, transactions });
    this.#ofCallers.set(transaction, executor);
    return executor;
  }

  /** Reads nothing: a transaction that has read could not wait for the lock any more. */
  #rowsOf(transaction: SqliteDatabase): Rows {
    try {
      return new Rows(transaction, quoted(this.#table));
    } catch (error) {
      throw notHere(error as Error, this.#table);
    }
  }

  #executor(
    settings: Pick<SqliteExecutorSettings, "rows" | "transactions" | "within" | "obstacle">,
  ) {
    return new SqliteExecutor({
      definitions: this.#definitions,
      sweeper: this.#sweeper,
      clock: this.#clock,
      timeout: this.#busyTimeout,
      ...settings,
    });
  }
}

/** What is asked of a lease, which may be taken in one transaction and given back in another. */
const AFTER: ReadonlySet<Verb> = new Set(["release", "renew"]);

/** It is for whoever has begun a transaction to end it: a lease waits until then. */
function ofOthers(database: SqliteDatabase): Error | undefined {
  if (!hasTransaction(database)) return undefined;
  return new Error("a transaction is open on the store's own connection");
}

function notOne(value: unknown): SpillwayError {
  return new SpillwayError({
    code: "bad-transaction",
    field: "transaction",
    value,
    isPrivate: true,
    expected: "a connection of node:sqlite, better-sqlite3 or bun:sqlite",
    hint: "Pass the connection itself, on which a transaction is open",
  });
}

function notHere({ message }: Error, table: string): SpillwayError {
  return new SpillwayError({
    code: "bad-transaction",
    field: "transaction",
    value: message,
    expected: `a connection to the database that has the store's table, ${table}`,
  });
}
