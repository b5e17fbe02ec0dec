import { SpillwayError } from "../../limits/core/index.ts";
import type { BusyTimeout } from "./busy-timeout.ts";
import { prepare, rowOf, type SqliteDatabase } from "./database.ts";
import { Rows } from "./rows.ts";
import { createTable, hasTable, quoted } from "./table.ts";
import { checkFree, OwnTransactions } from "./transactions.ts";

/** How a table is opened. */
export type OpenTableOptions = {
  readonly table: string;
  /** Whether the connection is set up for it. */
  readonly pragmas: boolean;
  readonly timeout: BusyTimeout;
};

/**
 * Bytes that the log keeps of its file once it begins anew. It grows for as long as somebody reads at one
 * instant, and SQLite by itself would keep the file that long for ever.
 */
const LOG_BYTES = 16 * 2 ** 20;
/** Attempts to change to a write-ahead log while others write. */
const ATTEMPTS = 10;

/**
 * Makes sure that the table is there and can be written. Nothing is written to what is no database,
 * or has another table of that name.
 *
 * @throws SpillwayError `bad-client` for a database that can't be used, `bad-schema` for a table that
 *   is somebody else's, `bad-transaction`, and `unavailable` where others keep it locked.
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
  // Checked before anything is changed: the journal's mode is written into the file.
  hasTable(database, table);
  const transactions = new OwnTransactions(database);
  // Safe with a write-ahead log alone: elsewhere a machine that goes down could leave half a page.
  if (pragmas && useWriteAheadLog(database, transactions)) {
    database.exec(`pragma synchronous = normal; pragma main.journal_size_limit = ${LOG_BYTES}`);
  }
  return transactions.write(() => {
    if (!hasTable(database, table)) createTable(database, table);
    const rows = new Rows(database, quoted(table));
    // SQLite begins transactions on a database that is read-only, and refuses the first write.
    rows.lock();
    return rows;
  });
}

/**
 * Whether there is one now: a database in memory has none.
 *
 * Others who write, or change it as well, make this fail at once: the timeout does not cover it.
 */
function useWriteAheadLog(database: SqliteDatabase, transactions: OwnTransactions): boolean {
  const change = prepare(database, "pragma journal_mode = wal");
  for (let attempt = 1; ; attempt++) {
    try {
      return rowOf<{ journal_mode: string }>(change)?.journal_mode === "wal";
    } catch (error) {
      if (attempt === ATTEMPTS || !isBusy(error as Error)) throw error;
      // Waits for them.
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
    const expected = "a database that others let go of within the busy timeout";
    return new SpillwayError({ code: "unavailable", ...place, expected });
  }
  const expected = "an open connection to a SQLite database that can be written";
  return new SpillwayError({ code: "bad-client", ...place, expected });
}
