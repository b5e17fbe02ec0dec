/** Whatever else has a `query` of text and values, as TypeORM and pg-promise have. */
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

/** TypeORM's `QueryRunner` knows it, whose `EntityManager` has it; and so does pg-promise's `t`. */
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
