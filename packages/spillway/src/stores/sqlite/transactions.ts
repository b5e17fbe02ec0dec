/** The transactions for the work of a store: its own, or one of the caller. */
import { type Problem, SpillwayError } from "../../limits/core/index.ts";
import { hasTransaction, prepare, type SqliteDatabase, type SqliteStatement } from "./database.ts";

/** Makes work atomic. */
export type Transactions = {
  /**
   * Runs work that only reads, with all reads from one snapshot.
   *
   * @param rows How many rows the work reads. One row needs no transaction.
   */
  read<T>(rows: number, work: () => T): T;
  /** Runs work that may write, with the write lock. If the work throws, nothing is written. */
  write<T>(work: () => T): T;
};

/** The statements that begin, end and undo a transaction or savepoint. */
type TransactionStatements = {
  readonly begin: SqliteStatement;
  readonly end: SqliteStatement;
  readonly undo: () => unknown;
};

function bracketed<T>({ begin, end, undo }: TransactionStatements, work: () => T): T {
  begin.run();
  try {
    const result = work();
    end.run();
    return result;
  } catch (error) {
    try {
      undo();
    } catch {
      // Some errors end the transaction by themselves. The first error has the cause.
    }
    throw error;
  }
}

/** The store's own transactions, on a connection without an open transaction of the caller. */
export class OwnTransactions implements Transactions {
  readonly #database: SqliteDatabase;
  readonly #reading: TransactionStatements;
  readonly #writing: TransactionStatements;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    const end = prepare(database, "commit");
    const undo = () => database.exec("rollback");
    this.#reading = { begin: prepare(database, "begin"), end, undo };
    this.#writing = { begin: prepare(database, "begin immediate"), end, undo };
  }

  read<T>(rows: number, work: () => T): T {
    checkFree(this.#database);
    return rows === 1 ? work() : bracketed(this.#reading, work);
  }

  write<T>(work: () => T): T {
    checkFree(this.#database);
    return bracketed(this.#writing, work);
  }
}

/** A transaction that the caller begins and ends. Writes run in a savepoint of it. */
export class CallersTransaction implements Transactions {
  readonly #database: SqliteDatabase;
  readonly #writing: TransactionStatements;
  readonly #lock: () => void;

  /** @param lock Takes the write lock for the open transaction. */
  constructor(database: SqliteDatabase, lock: () => void) {
    this.#database = database;
    this.#lock = lock;
    this.#writing = {
      begin: prepare(database, "savepoint spillway"),
      end: prepare(database, "release spillway"),
      undo: () => database.exec("rollback to spillway; release spillway"),
    };
  }

  read<T>(_rows: number, work: () => T): T {
    checkOpen(this.#database);
    return work();
  }

  write<T>(work: () => T): T {
    checkOpen(this.#database);
    return bracketed(this.#writing, () => {
      // A transaction that reads first can't wait for other writers any more.
      this.#lock();
      return work();
    });
  }
}

/** Returns the error for a connection that can take no part in a transaction. */
export function badTransaction(problem: Omit<Problem, "code">): SpillwayError {
  return new SpillwayError({ code: "bad-transaction", field: "transaction", ...problem });
}

/** @throws SpillwayError `bad-transaction` if no transaction is open. */
export function checkOpen(database: SqliteDatabase): void {
  if (hasTransaction(database)) return;
  throw badTransaction({
    value: database,
    expected: "a connection on which a transaction is open",
    hint: "Begin one, preferably with `begin immediate`, and call the limiter before it ends",
  });
}

/** @throws SpillwayError `bad-transaction` if a transaction of the caller is open. */
export function checkFree(database: SqliteDatabase): void {
  if (!hasTransaction(database)) return;
  throw badTransaction({
    field: "database",
    value: database,
    expected: "a connection on which no transaction is open",
    hint:
      "To take part in it, call `limiter.within(database)`; or give the store a separate " +
      "connection",
  });
}
