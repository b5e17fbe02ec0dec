/** Knex, and what is built on it, such as Objection. */
import type { Statement } from "./connection.ts";
import { checkedSender, has, notATransaction, type TransactionAdapter } from "./library.ts";

/** What is used of Knex' `Transaction`. */
type KnexTransaction = {
  raw(text: string, bindings: readonly string[]): PromiseLike<unknown>;
  /** Not used; together with the above nobody else has it. */
  transaction: object;
  /** A database has none of it. */
  readonly isTransaction?: boolean;
};

export const adaptKnex: TransactionAdapter = (candidate) => {
  if (!has<KnexTransaction>(candidate, "raw", "transaction")) return undefined;
  if (candidate.isTransaction === true)
    return checkedSender((statement) => raw(candidate, statement));
  throw notATransaction(candidate, "what Knex' transaction hands to its callback or resolves to");
};

/** Knex counts parameters itself: each `?` is the next one. */
function raw(transaction: KnexTransaction, { text, values }: Statement): PromiseLike<unknown> {
  const bindings: string[] = [];
  const counted = text.replace(/\$(\d+)/g, (_, number) => {
    bindings.push(values[Number(number) - 1] ?? "");
    return "?";
  });
  return transaction.raw(counted, bindings);
}
