import { SpillwayError } from "../../limits/core/index.ts";
import type { BusyTimeout } from "./busy-timeout.ts";
import { prepare, rowOf, type SqliteDatabase } from "./database.ts";
import { Rows } from "./rows.ts";
import { checkTables, createTables, quoted } from "./table.ts";
import { checkFree, OwnTransactions } from "./transactions.ts";

/** The options for opening a table. */
export type OpenTableOptions = {
  readonly table: string;
  /** Whether to set the journal mode and `synchronous` on the connection. */
  readonly pragmas: boolean;
  readonly timeout: BusyTimeout;
};

/**
 * The size that the file of the write-ahead log keeps when the log restarts, in bytes.
 *
 * The log grows while a reader stays at one snapshot. By default SQLite never makes the file
 * shorter.
 */
const LOG_BYTES = 16 * 2 ** 20;
/** Attempts to switch to a write-ahead log while others write. */
const ATTEMPTS = 10;

/**
 * Creates the tables if they are missing, and checks that they can be written.
 *
 * Writes nothing to a file that is not a database, or to a database with another table of that
 * name.
 *
 * @throws SpillwayError `bad-client` for a database that can't be used; `bad-schema` for another
 * table of that name; `bad-transaction` if a transaction is open; `unavailable` if others keep the
 * database locked.
 */
export function openTable(database: SqliteDatabase, opening: OpenTableOptions): Rows {
  checkFree(database);
  try {
    return open(database, opening);
  } catch (error) {
    throw error instanceof SpillwayError ? error : whatIsWrong(error as Error);
  }
}

function open(database: SqliteDatabase, { table, pragmas, timeout }: OpenTableOptions): Rows {
  timeout.apply();
  // Checked before any change, because the journal mode is written into the file.
  checkTables(database, table);
  const transactions = new OwnTransactions(database);
  // `synchronous = normal` is safe only with a write-ahead log. Without one, a crash of the machine
  // could leave a page half written.
  if (pragmas && useWriteAheadLog(database, transactions)) {
    database.exec(`pragma synchronous = normal; pragma main.journal_size_limit = ${LOG_BYTES}`);
  }
  return transactions.write(() => {
    createTables(database, table);
    const rows = new Rows(database, quoted(table));
    // SQLite allows transactions on a read-only database, and refuses only the first write.
    rows.lock();
    return rows;
  });
}

/**
 * Switches to a write-ahead log. Returns whether it is in use; a database in memory has none.
 *
 * Fails at once while others write or switch too, because the busy timeout does not apply. So it is
 * retried.
 */
function useWriteAheadLog(database: SqliteDatabase, transactions: OwnTransactions): boolean {
  const change = prepare(database, "pragma journal_mode = wal");
  for (let attempt = 1; ; attempt++) {
    try {
      return rowOf(change)?.[0] === "wal";
    } catch (error) {
      if (attempt === ATTEMPTS || !isBusy(error as Error)) throw error;
      // Waits for the other writers.
      transactions.write(() => {});
    }
  }
}

function isBusy({ message }: Error): boolean {
  return /\b(?:locked|busy)\b/.test(message);
}

function whatIsWrong(error: Error): SpillwayError {
  const place = { field: "database", value: error.message };
  if (isBusy(error)) {
    const expected = "a database that other connections unlock within the busy timeout";
    return new SpillwayError({ code: "unavailable", ...place, expected });
  }
  const expected = "an open connection to a writable SQLite database";
  return new SpillwayError({ code: "bad-client", ...place, expected });
}
