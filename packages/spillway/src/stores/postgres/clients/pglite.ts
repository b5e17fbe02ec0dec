/** Runs statements on PGlite: a Postgres in this process, with one connection for all users. */
import type { Database } from "./connection.ts";
import {
  checkedSender,
  has,
  notATransaction,
  onlyText,
  type TransactionAdapter,
  tooLate,
} from "./library.ts";

/** The part of PGlite's transactions that is used. */
type PgLiteTransaction = {
  query(text: string, values: string[]): Promise<unknown>;
  exec(text: string): Promise<unknown>;
};

/** The part of a `PGlite` that is used. */
export type PgLite = PgLiteTransaction & {
  transaction(use: (transaction: PgLiteTransaction) => Promise<unknown>): Promise<unknown>;
};

export function isPgLite(value: unknown): value is PgLite {
  return has<PgLite>(value, "query", "exec", "transaction");
}

/**
 * Wraps a PGlite. Every statement runs in a transaction.
 *
 * A transaction starts when the connection is free, so a late statement is not sent. Here
 * transactions cost little.
 */
export function overPgLite(database: PgLite): Database {
  return {
    isShared: true,
    async run({ text, values }, late) {
      const answer = await database.transaction(async (transaction) => {
        if (late()) throw tooLate();
        return transaction.query(text, [...values]);
      });
      return onlyText(answer);
    },
    script: (text) => database.transaction((transaction) => transaction.exec(text)),
  };
}

export const adaptPgLite: TransactionAdapter = (candidate) => {
  if (!has<PgLiteTransaction>(candidate, "query", "exec")) return undefined;
  if (!isPgLite(candidate))
    return checkedSender(({ text, values }) => candidate.query(text, [...values]));
  throw notATransaction(candidate, "what PGlite's transaction hands to its callback");
};
