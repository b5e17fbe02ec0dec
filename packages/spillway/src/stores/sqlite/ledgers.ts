import { type Clock, SpillwayError } from "../../core/index.ts";
import { isDatabase, type SqliteDatabase } from "./database.ts";
import { Definitions } from "./definitions.ts";
import { Ledger } from "./ledger.ts";
import { Rows } from "./rows.ts";
import { Sweeper } from "./sweeper.ts";
import { quoted } from "./table.ts";
import {
  CallersTransaction,
  checkOpen,
  OwnTransactions,
  type Transactions,
} from "./transactions.ts";

/** The ledgers over one table, one for each connection: statements are prepared once. */
export class Ledgers {
  readonly #table: string;
  readonly #clock: Clock;
  readonly #definitions = new Definitions();
  readonly #sweeper = new Sweeper();
  readonly #ofCallers = new WeakMap<SqliteDatabase, Ledger>();

  constructor(table: string, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
  }

  /** One whose every call is a transaction of its own. */
  own(database: SqliteDatabase, rows: Rows): Ledger {
    return this.#ledger(rows, new OwnTransactions(database));
  }

  /**
   * One whose calls are part of the transaction that is open on a connection.
   *
   * @throws SpillwayError `bad-transaction`
   */
  within(transaction: object): Ledger {
    if (!isDatabase(transaction)) throw notOne(transaction);
    checkOpen(transaction);
    const known = this.#ofCallers.get(transaction);
    if (known !== undefined) return known;
    const rows = this.#rowsOf(transaction);
    const transactions = new CallersTransaction(transaction, () => rows.lock());
    const ledger = this.#ledger(rows, transactions);
    this.#ofCallers.set(transaction, ledger);
    return ledger;
  }

  /** Reads nothing: a transaction that has read could not wait for the lock any more. */
  #rowsOf(transaction: SqliteDatabase): Rows {
    try {
      return new Rows(transaction, quoted(this.#table));
    } catch (error) {
      throw notHere(error as Error, this.#table);
    }
  }

  #ledger(rows: Rows, transactions: Transactions): Ledger {
    const definitions = this.#definitions;
    return new Ledger({
      rows,
      transactions,
      definitions,
      sweeper: this.#sweeper,
      clock: this.#clock,
    });
  }
}

function notOne(value: unknown): SpillwayError {
  return new SpillwayError({
    code: "bad-transaction",
    field: "transaction",
    value,
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
