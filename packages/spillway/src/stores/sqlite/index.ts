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

/**
 * While others keep the database locked, each call blocks the process for its whole timeout. So one
 * failure opens the breaker, for a second.
 */
const BREAKER = { failures: 1, pause: SECOND };

/**
 * Creates a store that keeps its states in a table of a SQLite database.
 *
 * The database belongs to this process, or is a file that several processes of one machine share.
 * Each decision is one transaction, and is returned synchronously. Units taken survive the process,
 * but not always a crash of the machine: see `docs/stores/sqlite.md`. If the database fails, each
 * limit's `whenUnavailable` decides, and the decision has `degraded: true`.
 *
 * Not for several machines, for a file on a network disk, or for a process whose event loop must
 * not wait for other writers. For one process that may lose its states when it ends, a memory store
 * is a hundred times faster.
 *
 * @param database A connection of `node:sqlite`, better-sqlite3 or `bun:sqlite`, best one used by
 * this store alone. The caller opens and closes it.
 * @throws SpillwayError `bad-client`, `bad-schema`, `bad-option`, `bad-clock`, `bad-transaction`,
 * `unknown-field`, and `unavailable` if others keep the database locked.
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
