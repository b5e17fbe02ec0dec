/** The drivers that a store can use. Only their types are declared here; nothing is imported. */

/** A value that a store binds to a parameter of a statement. */
export type SqliteValue = string | number | null | Uint8Array;

/** The part of a prepared statement that the store uses. */
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

/** Whether a value has the members of a connection that the store uses. */
export function isDatabase(value: unknown): value is SqliteDatabase {
  if (typeof value !== "object" || value === null) return false;
  const { prepare, exec } = value as Record<string, unknown>;
  const hasState = "isTransaction" in value || "inTransaction" in value;
  return typeof prepare === "function" && typeof exec === "function" && hasState;
}

/**
 * Whether a transaction is open on a connection, no matter what began it. False for a closed
 * connection.
 */
export function hasTransaction(database: SqliteDatabase): boolean {
  try {
    return "isTransaction" in database ? database.isTransaction : database.inTransaction;
  } catch {
    return false;
  }
}

/** Prepares a statement. It returns rows as arrays where the driver can, which costs less. */
export function prepare(database: SqliteDatabase, sql: string): SqliteStatement {
  const statement: SqliteStatement & Partial<RowFormats> = database.prepare(sql);
  // In `bun:sqlite`, which has no `pluck`, `raw` runs the statement.
  if (statement.reader && statement.pluck !== undefined) statement.raw?.(true);
  statement.setReturnArrays?.(true);
  return statement;
}

/** How drivers set the format of rows: better-sqlite3 by `raw`, which only queries have. */
type RowFormats = {
  readonly reader: boolean;
  readonly pluck: unknown;
  raw(on: boolean): unknown;
  setReturnArrays(on: boolean): void;
};

/** Returns the values of the first row of a query, in order; undefined if there is none. */
export function rowOf(
  statement: SqliteStatement,
  ...values: SqliteValue[]
): readonly SqliteValue[] | undefined {
  const row = statement.get(...values) as readonly SqliteValue[] | object | null | undefined;
  if (Array.isArray(row)) return row;
  return row ? Object.values(row) : undefined;
}
