/** The drivers that a store is tested over, and files that are gone when a test ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import BetterSqlite3 from "better-sqlite3";
import type { SqliteDatabase } from "../../../src/stores/sqlite/index.ts";

/** A connection, closed with the scope that holds it. */
export type Connection = SqliteDatabase & Disposable;

type Open = (path: string, options?: { readonly readOnly: true }) => Connection;

/** How each driver opens a file, or `:memory:`. */
export const drivers: { readonly [D in "node:sqlite" | "better-sqlite3"]: Open } = {
  "node:sqlite": (path, options) => new DatabaseSync(path, { ...options }),
  "better-sqlite3": (path, options) => {
    const database = new BetterSqlite3(path, { readonly: options !== undefined });
    const close = () => {
      database.close();
    };
    return Object.assign(database, { [Symbol.dispose]: close });
  },
};

/** The drivers' names, and how they open. */
export const eachDriver: readonly (readonly [string, Open])[] = Object.entries(drivers);

/** A connection of the runtime's own driver, where it does not matter whose it is. */
export const connect: Open = drivers["node:sqlite"];

/** A folder for databases; it goes with the scope that holds it. */
export function tempFolder(): Disposable & { readonly file: (name: string) => string } {
  const folder = mkdtempSync(join(tmpdir(), "spillway-sqlite-"));
  return {
    file: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** All rows of a query's only column. */
export function column(database: SqliteDatabase, sql: string): readonly unknown[] {
  const statement = database.prepare(sql) as unknown as { all(): Record<string, unknown>[] };
  return statement.all().map((row) => Object.values(row)[0]);
}
