import { closeSync, existsSync, openSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "spillway/sqlite";
import { printable } from "spillway/support";
import { CommandError } from "../command-error.ts";
import type { SqliteLocation } from "../places/index.ts";
import type { OpenedStore, StoreOptions } from "./contracts.ts";
import { remoteOptions } from "./remote-options.ts";

/**
 * SQLite applies the database's mode also to the log and its index, which contain the same rows.
 */
const FOR_THE_OWNER_ALONE = 0o600;

/**
 * Opens a file that only its owner can read and write. Creates it if it does not exist.
 *
 * @throws CommandError `bad-store` for an unusable file, because that is permanent.
 */
export async function openSqlite(
  place: SqliteLocation,
  options: StoreOptions,
): Promise<OpenedStore> {
  const name = sqliteName(place);
  const { instances, onEvent } = remoteOptions({ name }, options);
  return withDatabase(place, (database) => {
    const store = sqliteStore(database, { instances, onEvent });
    return { store, where: name, close: () => database.close() };
  });
}

/** Returns the name of a file in messages. */
export function sqliteName({ path }: SqliteLocation): string {
  return `sqlite:${printable(resolve(path))}`;
}

/** Opens a database for a use. @throws CommandError `bad-store` if that or the use fails */
export async function withDatabase<T>(
  place: SqliteLocation,
  use: (database: DatabaseSync) => T,
): Promise<T> {
  // Absolute, so that a name is always that of a file.
  const file = resolve(place.path);
  try {
    // Imported here, so that a runtime without it gets the error as well.
    const { DatabaseSync } = await import("node:sqlite");
    makePrivately(file);
    return use(new DatabaseSync(file));
  } catch (error) {
    const why = reasonOf(error as NodeJS.ErrnoException);
    throw new CommandError("bad-store", `${sqliteName(place)}: ${why}`);
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  const isOld = code === "ERR_UNKNOWN_BUILTIN_MODULE";
  return isOld ? `${message}. Node 22.16 or newer has it, and this is ${process.version}` : message;
}

/**
 * Creates a missing file, which others can never open.
 *
 * An existing file is not even opened, because closing it would release the locks that this process
 * has on it.
 */
function makePrivately(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, "a+", FOR_THE_OWNER_ALONE));
}
