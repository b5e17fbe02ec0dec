import { closeSync, existsSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { sqliteStore } from "spillway/sqlite";
import { printable } from "spillway/support";
import { CommandError } from "../command-error.ts";
import type { SqlitePlace } from "../places/index.ts";
import type { OpenStore, StoreOptions } from "./contracts.ts";
import { remoteOptions } from "./remote-options.ts";

/** SQLite gives the log and its index, which hold the same rows, the mode of the database. */
const FOR_THE_OWNER_ALONE = 0o600;

/**
 * Opens a file, which is made if there is none, readable and writable by its owner alone.
 *
 * @throws CommandError `bad-store` for a file that can't be used, for that does not pass by itself.
 */
export async function openSqlite({ path }: SqlitePlace, options: StoreOptions): Promise<OpenStore> {
  // Absolute, so that no name means anything but a file.
  const file = resolve(path);
  const name = `sqlite:${printable(file)}`;
  const { instances, onEvent } = remoteOptions({ name }, options);
  try {
    // Named here, so that a runtime that lacks it gets the error as well.
    const { DatabaseSync } = await import("node:sqlite");
    makePrivately(file);
    const database = new DatabaseSync(file);
    const store = sqliteStore(database, { instances, onEvent });
    return { store, where: name, close: () => database.close() };
  } catch (error) {
    throw new CommandError("bad-store", `${name}: ${reasonOf(error as NodeJS.ErrnoException)}`);
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  const isOld = code === "ERR_UNKNOWN_BUILTIN_MODULE";
  return isOld ? `${message}. Node 22.16 or newer has it, and this is ${process.version}` : message;
}

/**
 * Makes a file that is not there, with no moment in which others can open it.
 *
 * A file that exists is not even opened: closing it would end the locks that this process has on it.
 */
function makePrivately(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, "a+", FOR_THE_OWNER_ALONE));
}
