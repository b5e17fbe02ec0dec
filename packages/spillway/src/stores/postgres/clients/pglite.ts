/** PGlite: a Postgres within the process, whose one connection everybody shares. */
import type { Database } from "./connection.ts";
import {
  checkedSender,
  has,
  notATransaction,
  onlyText,
  type TransactionAdapter,
  tooLate,
} from "./library.ts";

/** What is used of PGlite's transactions. */
type PgLiteTransaction = {
  query(text: string, values: string[]): Promise<unknown>;
  exec(text: string): Promise<unknown>;
};

/** What is used of a `PGlite`. */
export type PgLite = PgLiteTransaction & {
  transaction(use: (transaction: PgLiteTransaction) => Promise<unknown>): Promise<unknown>;
};

export function isPgLite(value: unknown): value is PgLite {
  return has<PgLite>(value, "query", "exec", "transaction");
}

/** In transactions throughout: they tell when the connection is free, and cost little here. */
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
