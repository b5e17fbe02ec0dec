/**
 * Runs statements with postgres.js: on an `sql`, which is a pool, or in a transaction that its
 * `begin` passes on.
 */
import type { Database, SendOptions } from "./connection.ts";
import {
  has,
  notATransaction,
  onlyText,
  type TransactionAdapter,
  tooLate,
  uncheckedSender,
} from "./library.ts";

type Sql = {
  unsafe(
    text: string,
    values?: TextParameter[],
    options?: { readonly prepare: boolean },
  ): PostgresJsQuery;
};

/** A parameter. The driver converts values of types that it does not know to text. */
type TextParameter = { toString(): string };

type PostgresJsQuery = PromiseLike<unknown> & { simple(): PromiseLike<unknown> };

/** The part of postgres.js' `sql` that is used. */
export type PostgresJsSql = Sql & {
  /** Not called. Only a pool has it. */
  begin: object;
};

/** The part of the `sql` in `sql.begin` and `savepoint` that is used. */
type TransactionSql = Sql & {
  /** Not called. Only a transaction has it. */
  savepoint: object;
};

export function isPostgresJsSql(value: unknown): value is PostgresJsSql {
  return has<PostgresJsSql>(value, "unsafe", "begin");
}

/**
 * Wraps an `sql`. A late statement is sent with a parameter that the server refuses.
 *
 * A statement may wait long in the driver's own queue, which can't drop late ones. The alternatives
 * are worse (3.4.9): cancelling a query, or reserving a connection, while a connection is opened
 * for it may lose that connection for all. But the driver converts parameters to text only when it
 * sends them.
 */
export function overPostgresJs(sql: PostgresJsSql, { prepare }: SendOptions): Database {
  return {
    async run({ text, values: [first, ...others] }, late) {
      const guard = new LateParameter(first ?? "", late);
      const values = first === undefined ? [] : [guard, ...others];
      try {
        return onlyText(await sql.unsafe(text, values, { prepare }));
      } catch (error) {
        throw guard.wasLate ? tooLate() : error;
      }
    },
    script: async (text) => sql.unsafe(text).simple(),
  };
}

/** A parameter that the server refuses if it is sent too late. Its statement then fails. */
class LateParameter {
  wasLate = false;
  readonly #value: string;
  readonly #late: () => boolean;

  constructor(value: string, late: () => boolean) {
    this.#value = value;
    this.#late = late;
  }

  toString(): string {
    this.wasLate = this.#late();
    // A NUL character, which Postgres does not accept in a text.
    return this.wasLate ? "\0" : this.#value;
  }
}

export const adaptPostgresJs: TransactionAdapter = (candidate, sending) => {
  if (!has<Sql>(candidate, "unsafe")) return undefined;
  if (has<TransactionSql>(candidate, "savepoint")) {
    return uncheckedSender(({ text, values }) => candidate.unsafe(text, [...values], sending));
  }
  throw notATransaction(candidate, "the sql that sql.begin hands to its callback");
};
