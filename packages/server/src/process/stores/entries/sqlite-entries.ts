/** Entries of an audit log in a table of SQLite, beside the states. */
import type { DatabaseSync } from "node:sqlite";
import type { SqliteLocation } from "../../places/index.ts";
import { sqliteName, withDatabase } from "../sqlite.ts";
import { type EntryStore, MOST_KEPT } from "./contracts.ts";

/** How long a call waits for the lock of another process, in milliseconds. */
const LONGEST_WAIT = 2000;

/**
 * Opens a file, by a connection of its own.
 *
 * @throws CommandError `bad-store`
 */
export function sqliteEntries(place: SqliteLocation): Promise<EntryStore> {
  return withDatabase(place, (database) => entriesIn(database, sqliteName(place)));
}

function entriesIn(database: DatabaseSync, name: string): EntryStore {
  // States need not wait for the disk. An entry does.
  database.exec(`pragma busy_timeout = ${LONGEST_WAIT}; pragma synchronous = full`);
  database.exec(TABLE);
  const newest = database.prepare(NEWEST);
  const put = database.prepare(PUT);
  const drop = database.prepare("delete from spillway_audit where version <= ?");
  return {
    where: `table spillway_audit in ${name}`,
    newest: async (count) => newest.all(count).map(({ entry }) => String(entry)),
    put: async ({ version, text }) => {
      return inTransaction(database, () => {
        const isKept = put.run(version, text, version).changes === 1;
        if (isKept) drop.run(version - MOST_KEPT);
        return isKept;
      });
    },
    explain: ({ message }) => message,
    close: async () => database.close(),
  };
}

/** Takes the write lock at once, and rolls back if a statement fails. */
function inTransaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec("begin immediate");
  try {
    const result = run();
    database.exec("commit");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Some errors, such as a full disk, have rolled it back already. */
function rollBack(database: DatabaseSync): void {
  try {
    database.exec("rollback");
  } catch {}
}

const TABLE = `create table if not exists spillway_audit (
  version integer primary key, entry text not null) strict`;
const NEWEST = "select entry from spillway_audit order by version desc limit ?";
const PUT = `insert into spillway_audit (version, entry) select ?, ?
  where not exists (select 1 from spillway_audit where version >= ?)`;
