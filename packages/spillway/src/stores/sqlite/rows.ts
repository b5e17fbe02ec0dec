import { prepare, rowOf, type SqliteDatabase, type SqliteStatement } from "./database.ts";

/** A state as the table keeps it. Whole numbers below 2⁵³, which a REAL carries exactly. */
export type StateRow = {
  readonly used: number;
  readonly since: number;
  readonly previous: number;
  readonly unsettled: number;
  readonly blockedUntil: number;
  /** The limit that the state was written under; see `Definitions`. */
  readonly definition: string;
  /** The entries of a sliding log; see `bytesOf`. */
  readonly log: Uint8Array | null;
};

/** Rows with ids after `after` and up to `until`, if it is given. */
export type RowRange = { readonly after: string; readonly until: string | undefined };

/**
 * The statements on one table over one connection, prepared once.
 *
 * Each is indivisible, and what the connection throws is thrown as it is; transactions are made
 * around them.
 */
export class Rows {
  readonly #read;
  readonly #insert;
  readonly #update;
  readonly #remove;
  readonly #lock;
  readonly #end;
  readonly #sweep;
  readonly #sweepRest;
  readonly #mark;
  readonly #setMark;

  /** @param table Its name, quoted. It has to exist. */
  constructor(database: SqliteDatabase, table: string) {
    const prepared = (sql: string) => prepare(database, sql);
    this.#read = prepared(`select used, since, previous, unsettled, blocked_until as blockedUntil,
      definition, log from ${table} where id = ?`);
    this.#insert = prepared(`insert into ${table} (used, since, previous, unsettled, blocked_until,
      definition, log, expires, id) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#update = prepared(`update ${table} set used = ?, since = ?, previous = ?, unsettled = ?,
      blocked_until = ?, definition = ?, log = ?, expires = ? where id = ?`);
    this.#remove = prepared(`delete from ${table} where id = ?`);
    this.#lock = prepared(`delete from ${table} where false`);
    this.#end = prepared(`select id from ${table} where id > ? order by id limit 1 offset ?`);
    this.#sweep = prepared(`delete from ${table} where id > ? and id <= ? and expires <= ?`);
    this.#sweepRest = prepared(`delete from ${table} where id > ? and expires <= ?`);
    this.#mark = prepared(`select definition as id from ${table} where id = ''`);
    this.#setMark = prepared(`replace into ${table} values ('', 0, 0, 0, 0, 0, 9e999, ?, null)`);
  }

  /** Reads a row. */
  read(id: string): StateRow | undefined {
    return rowOf<StateRow>(this.#read, id);
  }

  /** Inserts a row where there is none; `expires` is the instant from which it may go. */
  insert(id: string, row: StateRow, expires: number): void {
    run(this.#insert, id, row, expires);
  }

  /** Updates a row that is there: for SQLite less work than to replace it. */
  update(id: string, row: StateRow, expires: number): void {
    run(this.#update, id, row, expires);
  }

  /** Removes a row. */
  remove(id: string): void {
    this.#remove.run(id);
  }

  /** Makes the open transaction the one that may write, before it has read anything. */
  lock(): void {
    this.#lock.run();
  }

  /** The id of the row that is so many rows after an id; undefined where there are fewer. */
  endOf(after: string, rows: number): string | undefined {
    return rowOf<{ id: string }>(this.#end, after, rows - 1)?.id;
  }

  /** Removes what may go. */
  sweep({ after, until }: RowRange, now: number): void {
    if (until === undefined) this.#sweepRest.run(after, now);
    else this.#sweep.run(after, until, now);
  }

  /** The id after which to go on sweeping. It is kept in a row whose id is empty, as no other is. */
  mark(): string {
    return rowOf<{ id: string }>(this.#mark)?.id ?? "";
  }

  /** Notes the id after which to go on. */
  setMark(id: string): void {
    this.#setMark.run(id);
  }
}

function run(statement: SqliteStatement, id: string, row: StateRow, expires: number): void {
  const { used, since, previous, unsettled, blockedUntil, definition, log } = row;
  statement.run(used, since, previous, unsettled, blockedUntil, definition, log, expires, id);
}

/** What a row holds can't be understood: somebody else has written it. */
export class RowError extends Error {
  override readonly name = "RowError";
}
