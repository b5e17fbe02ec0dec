/** A statement that returns one row with one column, a text. */
export type Statement = {
  /**
   * The name of the prepared statement, if the server keeps it. Different texts have different
   * names.
   */
  readonly name: string;
  /**
   * The SQL, with parameters $1, $2, … that are all text. It has no other `$` before a digit, and
   * no `?`.
   */
  readonly text: string;
  readonly values: readonly string[];
};

/** Runs statements: each in a transaction of its own, or all in one transaction of the caller. */
export type PostgresConnection = {
  /** True if this is the only connection to its database, so that any open transaction is on it. */
  readonly isShared?: true;
  /**
   * Runs one statement. Errors of the database and its driver are passed on unchanged.
   *
   * @param late Returns whether the caller no longer waits. Then nothing is sent. Not called in a
   * caller's transaction, because the caller waits for each statement there.
   */
  run(statement: Statement, late: () => boolean): Promise<string>;
};

/** A database in which each statement has a connection for itself. */
export type Database = PostgresConnection & {
  /** Runs several statements without parameters, all or none. */
  script(text: string): Promise<unknown>;
};

/** How statements are sent. */
export type SendOptions = {
  /**
   * Whether the server keeps parsed statements. False behind a pooler that assigns a connection to
   * each transaction and does not support them, such as PgBouncer before 1.21.
   */
  readonly prepare: boolean;
};
