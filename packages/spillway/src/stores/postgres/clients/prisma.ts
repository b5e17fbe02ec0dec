/** Prisma's interactive transactions, over an adapter for Postgres. */
import { checkedSender, has, notATransaction, type TransactionAdapter } from "./library.ts";

/** What is used of the client that `$transaction` hands out. */
type PrismaTransaction = {
  $queryRawUnsafe(text: string, ...values: string[]): PromiseLike<unknown>;
};

/** What only a client has that is no transaction. */
type PrismaClient = { $connect: object };

export const adaptPrisma: TransactionAdapter = (candidate) => {
  if (!has<PrismaTransaction>(candidate, "$queryRawUnsafe")) return undefined;
  if (!has<PrismaClient>(candidate, "$connect")) {
    return checkedSender(({ text, values }) => candidate.$queryRawUnsafe(text, ...values));
  }
  const expected = "the client that $transaction hands to its callback";
  throw notATransaction(candidate, expected, "A $transaction of an array of queries has none");
};
