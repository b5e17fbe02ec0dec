/** Adapts Prisma's interactive transactions, over an adapter for Postgres. */
import { checkedSender, has, notATransaction, type TransactionAdapter } from "./library.ts";

/** The part of the client that `$transaction` passes on and that is used. */
type PrismaTransaction = {
  $queryRawUnsafe(text: string, ...values: string[]): PromiseLike<unknown>;
};

/** A member that only a client outside transactions has. */
type PrismaClient = { $connect: object };

export const adaptPrisma: TransactionAdapter = (candidate) => {
  if (!has<PrismaTransaction>(candidate, "$queryRawUnsafe")) return undefined;
  if (!has<PrismaClient>(candidate, "$connect")) {
    return checkedSender(({ text, values }) => candidate.$queryRawUnsafe(text, ...values));
  }
  const expected = "the client that $transaction hands to its callback";
  throw notATransaction(
    candidate,
    expected,
    "A $transaction of an array of queries has no such client",
  );
};
