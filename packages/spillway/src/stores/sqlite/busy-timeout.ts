import type { SqliteDatabase } from "./database.ts";

/**
 * The default of the shortened timeout, in milliseconds. Used after others have kept the lock for a
 * long time.
 */
const SHORT_BUSY_WAIT = 50;

/**
 * How long a connection waits while others write. The process does nothing else in that time.
 *
 * Sets nothing if the caller keeps the connection's own settings.
 */
export class BusyTimeout {
  readonly #database: SqliteDatabase;
  readonly #usual: number | undefined;

  /** @param usual Milliseconds; undefined keeps the connection's own timeout unchanged. */
  constructor(database: SqliteDatabase, usual: number | undefined) {
    this.#database = database;
    this.#usual = usual;
  }

  /** Sets the usual timeout on the connection. */
  apply(): void {
    if (this.#usual !== undefined) this.#set(this.#usual);
  }

  /**
   * Runs work with a shorter timeout, in milliseconds. Default: 50 ms. Restores the usual one
   * afterwards.
   */
  shortened<T>(work: () => T, ms: number = SHORT_BUSY_WAIT): T {
    if (this.#usual === undefined) return work();
    this.#set(Math.min(this.#usual, ms));
    try {
      return work();
    } finally {
      this.#set(this.#usual);
    }
  }

  #set(ms: number): void {
    try {
      this.#database.exec(`pragma busy_timeout = ${ms}`);
    } catch {
      // If the timeout can't be set, reads fail too, and report why.
    }
  }
}
