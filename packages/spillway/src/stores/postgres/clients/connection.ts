/** One statement, which answers with one row of one column: a text. */
export type Statement = {
  /** Stands for the text where a server keeps prepared statements: no two texts share a name. */
  readonly name: string;
  /** With parameters $1, $2, … that are all text; with no other `$` before a digit, and no `?`. */
  readonly text: string;
  readonly values: readonly string[];
};

/** Runs statements: each in a transaction of its own, or all in one of the caller's. */
export type PostgresConnection = {
  /** Whether it is the only one to its database, so that it is in whichever transaction is open there. */
  readonly isShared?: true;
  /**
   * Runs one statement. Errors of the database and of its driver pass through as they are.
   *
   * @param late Says whether nobody waits any more: then nothing is sent. In a transaction of the
   *   caller's it is not asked, for whoever has begun that waits until it ends.
   */
  run(statement: Statement, late: () => boolean): Promise<string>;
};

/** A database, of which each statement takes a connection for itself. */
export type Database = PostgresConnection & {
  /** Runs several statements without parameters: all of them, or none. */
  script(text: string): Promise<unknown>;
};

/** How statements are sent. */
export type SendOptions = {
  /**
   * Whether a server is to keep a statement that it has parsed. It can't behind a pooler that deals
   * connections out anew to each transaction, such as PgBouncer before 1.21.
   */
  readonly prepare: boolean;
};
