/** The transactions that a store's work is done in: its own, or one of the caller's. */
import { type Problem, SpillwayError } from "../../limits/core/index.ts";
import { hasTransaction, prepare, type SqliteDatabase, type SqliteStatement } from "./database.ts";

/** How work becomes indivisible. */
export type Transactions = {
  /**
   * Runs work that only reads, all of it at one instant.
   *
   * @param rows How many rows it reads; one needs no transaction around it.
   */
  read<T>(rows: number, work: () => T): T;
  /** Runs work that may write while nobody else does. Where it throws, nothing is written. */
  write<T>(work: () => T): T;
};

/** What begins, ends and undoes a piece of work. */
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
      // Some errors end the transaction by themselves. The first error says what was wrong.
    }
    throw error;
  }
}

/** Transactions of the store's own, on a connection on which nobody else has one open. */
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

/** A transaction that the caller has begun, and ends: work is done between savepoints of it. */
export class CallersTransaction implements Transactions {
  readonly #database: SqliteDatabase;
  readonly #writing: TransactionStatements;
  readonly #lock: () => void;

  /** @param lock Makes the open transaction the one that may write. */
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
      // One that has begun by reading could not wait for others any more.
      this.#lock();
      return work();
    });
  }
}

/** The error for a connection that can take no part in a transaction. */
export function badTransaction(problem: Omit<Problem, "code">): SpillwayError {
  return new SpillwayError({ code: "bad-transaction", field: "transaction", ...problem });
}

/** @throws SpillwayError `bad-transaction` where none is open. */
export function checkOpen(database: SqliteDatabase): void {
  if (hasTransaction(database)) return;
  throw badTransaction({
    value: database,
    expected: "a connection on which a transaction is open",
    hint: "Begin one, best with `begin immediate`, and ask before it ends",
  });
}

/** @throws SpillwayError `bad-transaction` where one is open, which is the caller's. */
export function checkFree(database: SqliteDatabase): void {
  if (!hasTransaction(database)) return;
  throw badTransaction({
    field: "database",
    value: database,
    expected: "a connection on which no transaction is open",
    hint: "To take part in it, ask `limiter.within(database)`; or give the store a connection of its own",
  });
}
