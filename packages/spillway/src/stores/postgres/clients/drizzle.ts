/** Adapts transactions of Drizzle, over any driver. */
import type { Statement } from "./connection.ts";
import { has, notATransaction, type TransactionAdapter, uncheckedSender } from "./library.ts";

/**
 * The query that Drizzle executes: an `SQLWrapper`, which returns an `SQL`, which returns text and
 * parameters.
 *
 * Drizzle's functions that create one would have to be imported.
 */
type SqlWrapper = {
  getSQL(): { toQuery(): { readonly sql: string; readonly params: readonly string[] } };
};

/** The part of a `PgTransaction` that is used. */
type DrizzleTransaction = {
  execute(query: SqlWrapper): PromiseLike<unknown>;
  /** Not called. A database has `execute` and `transaction` as well, but no `rollback`. */
  transaction: object;
  rollback: object;
};

export const adaptDrizzle: TransactionAdapter = (candidate) => {
  if (!has<DrizzleTransaction>(candidate, "execute", "transaction")) return undefined;
  if (has<DrizzleTransaction>(candidate, "rollback")) {
    return uncheckedSender((statement) => candidate.execute(wrapped(statement)));
  }
  throw notATransaction(candidate, "what Drizzle's transaction hands to its callback");
};

function wrapped({ text, values }: Statement): SqlWrapper {
  return { getSQL: () => ({ toQuery: () => ({ sql: text, params: values }) }) };
}
