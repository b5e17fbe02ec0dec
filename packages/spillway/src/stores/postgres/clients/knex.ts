/** Adapts transactions of Knex, and of libraries built on it, such as Objection. */
import type { Statement } from "./connection.ts";
import { checkedSender, has, notATransaction, type TransactionAdapter } from "./library.ts";

/** The part of Knex' `Transaction` that is used. */
type KnexTransaction = {
  raw(text: string, bindings: readonly string[]): PromiseLike<unknown>;
  /** Not called. No other library has both this and `raw`. */
  transaction: object;
  /** Undefined for a database. */
  readonly isTransaction?: boolean;
};

export const adaptKnex: TransactionAdapter = (candidate) => {
  if (!has<KnexTransaction>(candidate, "raw", "transaction")) return undefined;
  if (candidate.isTransaction === true)
    return checkedSender((statement) => raw(candidate, statement));
  throw notATransaction(candidate, "what Knex' transaction hands to its callback or resolves to");
};

/** Converts parameters to Knex' own form, in which each `?` is the next parameter. */
function raw(transaction: KnexTransaction, { text, values }: Statement): PromiseLike<unknown> {
  const bindings: string[] = [];
  const counted = text.replace(/\$(\d+)/g, (_, number) => {
    bindings.push(values[Number(number) - 1] ?? "");
    return "?";
  });
  return transaction.raw(counted, bindings);
}
