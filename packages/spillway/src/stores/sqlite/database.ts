/** The drivers that a store can work with: described, not imported. */

/** What a store binds to a statement's parameters. */
export type SqliteValue = string | number | null | Uint8Array;

/** What is used of a prepared statement. */
export type SqliteStatement = {
  run(...values: SqliteValue[]): unknown;
  get(...values: SqliteValue[]): unknown;
};

type Driver = {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
};

/** A connection of `node:sqlite`: its `DatabaseSync`, of Node 22.16 or newer. */
export type NodeDatabase = Driver & { readonly isTransaction: boolean };

/** A connection of better-sqlite3 or of `bun:sqlite`. */
export type BetterDatabase = Driver & { readonly inTransaction: boolean };

/** A connection to a SQLite database, opened and closed by the caller. */
export type SqliteDatabase = NodeDatabase | BetterDatabase;

/** Whether something has what is used of a connection. */
export function isDatabase(value: unknown): value is SqliteDatabase {
  if (typeof value !== "object" || value === null) return false;
  const { prepare, exec } = value as Record<string, unknown>;
  const hasState = "isTransaction" in value || "inTransaction" in value;
  return typeof prepare === "function" && typeof exec === "function" && hasState;
}

/** Whether a transaction is open on a connection, whoever began it; on a closed one none is. */
export function hasTransaction(database: SqliteDatabase): boolean {
  try {
    return "isTransaction" in database ? database.isTransaction : database.inTransaction;
  } catch {
    return false;
  }
}

/** Prepares a statement that gives rows as objects, whatever the connection's own setting is. */
export function prepare(database: SqliteDatabase, sql: string): SqliteStatement {
  const statement: SqliteStatement & { setReturnArrays?: (on: boolean) => void } =
    database.prepare(sql);
  statement.setReturnArrays?.(false);
  return statement;
}

/** The row that a query gives, if it gives one. */
export function rowOf<R>(statement: SqliteStatement, ...values: SqliteValue[]): R | undefined {
  return (statement.get(...values) as R | null | undefined) ?? undefined;
}
