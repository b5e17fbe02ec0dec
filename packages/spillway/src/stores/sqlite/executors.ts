import type { Clock, SpillwayError } from "../../limits/core/index.ts";
import type { BusyTimeout } from "./busy-timeout.ts";
import { hasTransaction, isDatabase, type SqliteDatabase } from "./database.ts";
import { DefinitionTexts } from "./definition-texts.ts";
import { isOnLease, isOver, JoinedConnections } from "./lease-transaction.ts";
import { Rows } from "./rows.ts";
import { SqliteExecutor, type SqliteExecutorSettings } from "./sqlite-executor.ts";
import { SqliteRegister } from "./sqlite-register.ts";
import { SqliteSweeper } from "./sweeper.ts";
import { quoted, registerTable } from "./table.ts";
import { badTransaction, CallersTransaction, checkOpen, OwnTransactions } from "./transactions.ts";

/**
 * Creates the executors of one table, one for each connection, so that statements are prepared
 * once.
 */
export class Executors {
  readonly #table: string;
  readonly #clock: Clock;
  readonly #busyTimeout: BusyTimeout;
  readonly #definitions = new DefinitionTexts();
  readonly #sweeper = new SqliteSweeper();
  readonly #ofCallers = new WeakMap<SqliteDatabase, SqliteExecutor>();
  readonly #joined = new JoinedConnections();

  constructor(table: string, clock: Clock, timeout: BusyTimeout) {
    this.#table = table;
    this.#clock = clock;
    this.#busyTimeout = timeout;
  }

  /** Returns an executor that runs each command in a transaction of its own. */
  own(database: SqliteDatabase, rows: Rows): SqliteExecutor {
    const executor: SqliteExecutor = this.#executor({
      rows,
      register: this.#registerOf(database),
      transactions: new OwnTransactions(database),
      within: (transaction) => this.#within(transaction, executor),
      obstacle: (command) => (isOnLease(command) ? this.#inTheWay(database, executor) : undefined),
    });
    return executor;
  }

  /**
   * Returns an executor that runs commands in the transaction that is open on a connection.
   *
   * @throws SpillwayError `bad-transaction` if it is not a connection, if no transaction is open,
   * or if the table is missing.
   */
  #within(transaction: object, own: SqliteExecutor): SqliteExecutor {
    if (!isDatabase(transaction)) throw notOne(transaction);
    checkOpen(transaction);
    this.#joined.add(transaction);
    const known = this.#ofCallers.get(transaction);
    if (known !== undefined) return known;
    const { rows, register } = this.#tablesOf(transaction);
    const executor = this.#executor({
      rows,
      register,
      transactions: new CallersTransaction(transaction, () => rows.lock()),
      isOver: (command) => isOver(command, transaction, own),
    });
    this.#ofCallers.set(transaction, executor);
    return executor;
  }

  /**
   * Returns why a command on a lease can't run now: a transaction of this process is open. It could
   * not end while this process waits for it.
   */
  #inTheWay(database: SqliteDatabase, executor: SqliteExecutor): Error | undefined {
    if (hasTransaction(database)) {
      return new Error("a transaction is open on the store's own connection");
    }
    if (!this.#joined.isAnyOpen || executor.isLockable()) return undefined;
    return new Error("a transaction of this process keeps the database locked");
  }

  /** Reads no rows: a transaction that has read can't wait for the write lock any more. */
  #tablesOf(transaction: SqliteDatabase): { rows: Rows; register: SqliteRegister } {
    try {
      const rows = new Rows(transaction, quoted(this.#table));
      return { rows, register: this.#registerOf(transaction) };
    } catch (error) {
      throw notHere(error as Error, this.#table);
    }
  }

  #registerOf(database: SqliteDatabase): SqliteRegister {
    return new SqliteRegister(database, quoted(registerTable(this.#table)));
  }

  #executor(settings: ConnectionSettings): SqliteExecutor {
    return new SqliteExecutor({
      definitions: this.#definitions,
      sweeper: this.#sweeper,
      clock: this.#clock,
      timeout: this.#busyTimeout,
      ...settings,
    });
  }
}

/** The settings that differ from one connection to another. */
type ConnectionSettings = Omit<
  SqliteExecutorSettings,
  "definitions" | "sweeper" | "clock" | "timeout"
>;

function notOne(value: unknown): SpillwayError {
  return badTransaction({
    value,
    isPrivate: true,
    expected: "a connection of node:sqlite, better-sqlite3 or bun:sqlite",
    hint: "Pass the connection itself, on which a transaction is open",
  });
}

function notHere({ message }: Error, table: string): SpillwayError {
  return badTransaction({
    value: message,
    expected: `a connection to the database that has the store's table, ${table}`,
  });
}
