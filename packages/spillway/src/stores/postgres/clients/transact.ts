/** Transactions of our own. */
import type { Connection, Sending } from "./connection.ts";
import { isPgPool, onPgPool, type PgPool } from "./pg.ts";
import type { PgLite } from "./pglite.ts";
import { adaptTransaction } from "./transaction-adapter.ts";

/**
 * Does work in a transaction: committed where it resolves, rolled back where it rejects.
 *
 * Not on postgres.js (3.4.9): a connection that breaks in a transaction of its ends the process.
 */
export async function transact<T>(
  pool: PgPool | PgLite,
  sending: Sending,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const results: T[] = [];
  const use = async (transaction: object) => {
    results.push(await work(adaptTransaction(transaction, sending)));
  };
  await (isPgPool(pool) ? onPgPool(pool, use) : pool.transaction(use));
  return results[0] as T;
}
