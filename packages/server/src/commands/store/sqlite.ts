import { resolve } from "node:path";
import { printable } from "spillway/core";
import { sqliteStore } from "spillway/sqlite";
import { storeLog } from "../../telemetry/index.ts";
import { CommandError } from "../command-error.ts";
import type { OpenStore, StoreOptions } from "./open-store.ts";
import type { SqlitePlace } from "./sqlite-url.ts";

/**
 * Opens a file, which is made if there is none.
 *
 * @throws CommandError `bad-store` for a file that can't be used, for that does not pass by itself.
 */
export async function openSqlite(
  { path }: SqlitePlace,
  { instances, warn, onEvent: beside }: StoreOptions,
): Promise<OpenStore> {
  // Absolute, so that no name means anything but a file.
  const file = resolve(path);
  const name = `sqlite:${printable(file)}`;
  const onEvent = storeLog({ name, warn, trouble: () => undefined, onEvent: beside });
  try {
    // Named here, so that a runtime that lacks it gets the error as well.
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(file);
    const store = sqliteStore(database, { instances, onEvent });
    return { store, where: name, close: () => database.close() };
  } catch (error) {
    throw new CommandError("bad-store", `${name}: ${(error as Error).message}`);
  }
}
