/**
 * Adapts transactions of other libraries that have a `query` of text and values.
 *
 * Examples are TypeORM and pg-promise.
 */
import {
  has,
  isObject,
  notATransaction,
  type TransactionAdapter,
  uncheckedSender,
} from "./library.ts";

type QueryClient = { query(text: string, values: string[]): PromiseLike<unknown> };

export const adaptOthers: TransactionAdapter = (candidate) => {
  if (!has<QueryClient>(candidate, "query")) return undefined;
  if (transactionState(candidate) === true) {
    return uncheckedSender(({ text, values }) => candidate.query(text, [...values]));
  }
  throw notATransaction(candidate, "what the library hands to the callback of a transaction");
};

/**
 * Returns whether a transaction is open; undefined if unknown.
 *
 * TypeORM's `QueryRunner`, its `EntityManager` and pg-promise's `t` report it.
 */
function transactionState(candidate: object): unknown {
  if ("isTransactionActive" in candidate) return candidate.isTransactionActive;
  if ("queryRunner" in candidate && isObject(candidate.queryRunner)) {
    return transactionState(candidate.queryRunner);
  }
  if ("ctx" in candidate && isObject(candidate.ctx) && "inTransaction" in candidate.ctx) {
    return candidate.ctx.inTransaction;
  }
  return undefined;
}
