import type { SqliteDatabase } from "./database.ts";

/** Milliseconds to wait for others who write, while they have kept the database locked for long. */
const SHORT_BUSY_WAIT = 50;

/**
 * How long a connection waits while others write, in which time its process does nothing else.
 *
 * Nothing is set where the caller keeps the connection's own settings.
 */
export class BusyTimeout {
  readonly #database: SqliteDatabase;
  readonly #usual: number | undefined;

  /** @param usual Milliseconds; undefined: the connection's own, which nobody changes. */
  constructor(database: SqliteDatabase, usual: number | undefined) {
    this.#database = database;
    this.#usual = usual;
  }

  /** Sets the usual timeout. */
  apply(): void {
    if (this.#usual !== undefined) this.#set(this.#usual);
  }

  /** Runs work with a timeout of a moment, or of so many milliseconds. */
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
      // A connection that can't be set can't be read either: whoever reads finds out why.
    }
  }
}
