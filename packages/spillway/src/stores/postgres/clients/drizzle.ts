/** Drizzle, over whichever driver. */
import type { Statement } from "./connection.ts";
import { has, notATransaction, type TransactionAdapter, uncheckedSender } from "./library.ts";

/**
 * What Drizzle makes a query of: what gives an SQL (`SQLWrapper`), which in turn gives text and
 * parameters (`SQL`). Drizzle's own are made by functions that would have to be imported.
 */
type SqlWrapper = {
  getSQL(): { toQuery(): { readonly sql: string; readonly params: readonly string[] } };
};

/** What is used of a `PgTransaction`. */
type DrizzleTransaction = {
  execute(query: SqlWrapper): PromiseLike<unknown>;
  /** Not used; a database has this and the above as well, but nothing to roll back. */
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
