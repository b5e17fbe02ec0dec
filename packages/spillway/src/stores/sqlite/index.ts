/** The store for processes of one machine that share a SQLite file: exact and durable. */
import { SECOND, SpillwayError, type Store } from "../../limits/core/index.ts";
import { lent, resilient } from "../index.ts";
import { memoryStore } from "../memory/index.ts";
import { BusyTimeout } from "./busy-timeout.ts";
import { isDatabase, type SqliteDatabase } from "./database.ts";
import { Executors } from "./executors.ts";
import { openTable } from "./open-table.ts";
import { checkedOptions, type SqliteStoreOptions } from "./options.ts";

export type { OnEvent, StoreEvent } from "../index.ts";
export type { SqliteDatabase } from "./database.ts";
export type { SqliteStoreOptions } from "./options.ts";

/** A database that others keep locked holds up the process for its whole timeout: once is enough. */
const BREAKER = { failures: 1, pause: SECOND };

/**
 * Makes a store that keeps its states in a table of a SQLite database: of this process, or of a file
 * that several processes of one machine share.
 *
 * A decision is one transaction, and is answered at once. What was taken survives the process, but
 * not always the machine: see `docs/stores/sqlite.md`. Where the database fails, each limit's
 * `whenUnavailable` answers, and the answer says `degraded`.
 *
 * Not for several machines, nor for a file on a network's disk, nor for a process whose event loop
 * must not wait for others to write. For one process that may forget when it ends, a memory store is
 * a hundred times faster.
 *
 * @param database A connection of `node:sqlite`, better-sqlite3 or `bun:sqlite`, best one that is for
 *   this store alone. Opened and closed by the caller.
 * @throws SpillwayError `bad-client`, `bad-schema`, `bad-option`, `bad-clock`, `bad-transaction`,
 *   `unknown-field`, and `unavailable` where others keep the database locked.
 * @example
 * const store = sqliteStore(new DatabaseSync("limits.db"));
 * const limiter = new RateLimiter(limits, { store });
 */
export function sqliteStore(
  database: SqliteDatabase,
  options: SqliteStoreOptions = {},
): Store<"now"> {
  const { table, busyTimeout, clock, instances, onEvent, warn } = checkedOptions(options);
  checkDatabase(database);
  const timeout = new BusyTimeout(database, busyTimeout);
  const rows = openTable(database, { table, pragmas: busyTimeout !== undefined, timeout });
  const executor = new Executors(table, clock, timeout).own(database, rows);
  const settings = { breaker: BREAKER, instances, clock, onEvent, warn, local: memoryStore };
  return lent(resilient(executor, settings), { onEvent, warn, clock });
}

function checkDatabase(database: unknown): void {
  if (isDatabase(database)) return;
  throw new SpillwayError({
    code: "bad-client",
    field: "database",
    value: database,
    isPrivate: true,
    expected: "a connection of node:sqlite (Node 22.16 or newer), better-sqlite3 or bun:sqlite",
    hint: "Pass the connection itself, such as `new DatabaseSync(…)`; not a file's name",
  });
}
