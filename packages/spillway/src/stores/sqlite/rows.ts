import type { State } from "../../limits/core/index.ts";
import { prepare, rowOf, type SqliteDatabase, type SqliteStatement } from "./database.ts";

/**
 * A state as a row of the table. Its numbers are whole and below 2⁵³, so REAL columns hold them
 * exactly.
 */
export type StateRow = Numbers & {
  /** The limit under which the state was written, as JSON. */
  readonly definition: string;
  /** A sliding log or leases, as bytes; null if there are none. */
  readonly log: Uint8Array | null;
};

/** The numbers of a state. */
type Numbers = Pick<State, "used" | "since" | "previous" | "unsettled" | "blockedUntil">;

/** The values of a row that is read. */
type RowValues = readonly [
  ...[used: number, since: number, previous: number, unsettled: number, blockedUntil: number],
  ...[definition: string | null, log: Uint8Array | null],
];

/** Rows with an id above `after`, and at most `until` if it is defined. */
export type RowRange = { readonly after: string; readonly until: string | undefined };

/**
 * The statements on one table over one connection, prepared once.
 *
 * Each statement is atomic, and throws the connection's errors unchanged. The caller wraps them in
 * a transaction.
 */
export class Rows {
  readonly #read;
  readonly #insert;
  readonly #update;
  readonly #updateNumbers;
  readonly #remove;
  readonly #lock;
  readonly #end;
  readonly #sweep;
  readonly #sweepRest;
  readonly #mark;
  readonly #setMark;

  /** @param table The quoted name of an existing table. */
  constructor(database: SqliteDatabase, table: string) {
    const prepared = (sql: string) => prepare(database, sql);
    // An expected text is not read, because a driver has to make a string of it.
    this.#read = prepared(`select used, since, previous, unsettled, blocked_until,
      nullif(definition, ?), log from ${table} where id = ?`);
    this.#insert = prepared(`insert into ${table} (used, since, previous, unsettled, blocked_until,
      definition, log, expires, id) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#update = prepared(`update ${table} set used = ?, since = ?, previous = ?, unsettled = ?,
      blocked_until = ?, definition = ?, log = ?, expires = ? where id = ?`);
    this.#updateNumbers = prepared(`update ${table} set used = ?, since = ?, previous = ?,
      unsettled = ?, blocked_until = ?, expires = ? where id = ?`);
    this.#remove = prepared(`delete from ${table} where id = ?`);
    this.#lock = prepared(`delete from ${table} where false`);
    this.#end = prepared(`select id from ${table} where id > ? order by id limit 1 offset ?`);
    this.#sweep = prepared(`delete from ${table} where id > ? and id <= ? and expires <= ?`);
    this.#sweepRest = prepared(`delete from ${table} where id > ? and expires <= ?`);
    this.#mark = prepared(`select definition from ${table} where id = ''`);
    this.#setMark = prepared(`replace into ${table} values ('', 0, 0, 0, 0, 0, 9e999, ?, null)`);
  }

  /** Reads a row, most likely with the expected definition; undefined if there is none. */
  read(id: string, { expected }: { readonly expected: string }): StateRow | undefined {
    const row = rowOf(this.#read, expected, id) as RowValues | undefined;
    if (row === undefined) return undefined;
    const [used, since, previous, unsettled, blockedUntil, definition, log] = row;
    return {
      used,
      since,
      previous,
      unsettled,
      blockedUntil,
      definition: definition ?? expected,
      log,
    };
  }

  /** Inserts a new row. It may be removed from the instant `expires` on. */
  insert(id: string, row: StateRow, expires: number): void {
    run(this.#insert, id, row, expires);
  }

  /** Updates an existing row, which costs SQLite less than replacing it. */
  update(id: string, row: StateRow, expires: number): void {
    run(this.#update, id, row, expires);
  }

  /** Updates only the numbers of an existing row. */
  updateNumbers(id: string, numbers: Numbers, expires: number): void {
    const { used, since, previous, unsettled, blockedUntil } = numbers;
    this.#updateNumbers.run(used, since, previous, unsettled, blockedUntil, expires, id);
  }

  remove(id: string): void {
    this.#remove.run(id);
  }

  /** Takes the write lock for the open transaction, before it has read anything. */
  lock(): void {
    this.#lock.run();
  }

  /** Returns the id of the row that is `rows` rows after an id; undefined if there are fewer. */
  endOf(after: string, rows: number): string | undefined {
    return rowOf(this.#end, after, rows - 1)?.[0] as string | undefined;
  }

  /** Removes expired rows in a range of ids. */
  sweep({ after, until }: RowRange, now: number): void {
    if (until === undefined) this.#sweepRest.run(after, now);
    else this.#sweep.run(after, until, now);
  }

  /**
   * Returns the id after which the next sweep starts. It is kept in the only row with an empty id.
   */
  mark(): string {
    return (rowOf(this.#mark)?.[0] as string | undefined) ?? "";
  }

  /** Stores the id after which the next sweep starts. */
  setMark(id: string): void {
    this.#setMark.run(id);
  }
}

function run(statement: SqliteStatement, id: string, row: StateRow, expires: number): void {
  const { used, since, previous, unsettled, blockedUntil, definition, log } = row;
  statement.run(used, since, previous, unsettled, blockedUntil, definition, log, expires, id);
}

/** The error for a row that can't be understood. Something other than this store wrote it. */
export class RowError extends Error {
  override readonly name = "RowError";
}
