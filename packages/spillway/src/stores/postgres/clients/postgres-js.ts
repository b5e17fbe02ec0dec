/** postgres.js: an `sql`, which is a pool, and what its `begin` hands out. */
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

/** Made text by the driver, as it makes everything text that it knows no type of. */
type TextParameter = { toString(): string };

type PostgresJsQuery = PromiseLike<unknown> & { simple(): PromiseLike<unknown> };

/** What is used of postgres.js' `sql`. */
export type PostgresJsSql = Sql & {
  /** Not used, but what has it is a pool. */
  begin: object;
};

/** What is used of what `sql.begin` and its `savepoint` hand out. */
type TransactionSql = Sql & {
  /** Not used, but nothing else has it. */
  savepoint: object;
};

export function isPostgresJsSql(value: unknown): value is PostgresJsSql {
  return has<PostgresJsSql>(value, "unsafe", "begin");
}

/**
 * A statement may wait long in the driver's own queue, which can't leave out late ones.
 * What there is against that is worse (3.4.9): a query that is cancelled, or a connection reserved,
 * while a connection is made for it may lose that one to everybody. But parameters are made text
 * only when they are sent.
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

/** A parameter that the server refuses, and its statement with it, if it is sent too late. */
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
    // A NUL, which Postgres has no text for.
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
