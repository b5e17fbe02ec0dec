/** Transactions of our own. */
import type { PostgresConnection, SendOptions, Statement } from "./connection.ts";
import { isPgPool, onPgPool, type PgPool } from "./pg.ts";
import type { PgLite } from "./pglite.ts";
import { adaptTransaction } from "./transaction-adapter.ts";

/** Until the transaction ends, names mean what Postgres itself has, and not what strangers have made in `public`. */
const OWN_NAMES: Statement = {
  name: "spillway.own_names",
  text: "select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true)",
  values: [],
};

/**
 * Does work in a transaction: committed where it resolves, rolled back where it rejects. In it, all but
 * Postgres' own has to be named with its schema.
 *
 * Not on postgres.js (3.4.9): a connection that breaks in a transaction of its ends the process.
 */
export async function transact<T>(
  pool: PgPool | PgLite,
  sending: SendOptions,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const results: T[] = [];
  const use = async (transaction: object) => {
    const connection = adaptTransaction(transaction, sending);
    await connection.run(OWN_NAMES, () => false);
    results.push(await work(connection));
  };
  await (isPgPool(pool) ? onPgPool(pool, use) : pool.transaction(use));
  return results[0] as T;
}
