/** Runs the library's own work in transactions. */
import type { PostgresConnection, SendOptions, Statement } from "./connection.ts";
import { isPgPool, onPgPool, type PgPool } from "./pg.ts";
import type { PgLite } from "./pglite.ts";
import { adaptTransaction } from "./transaction-adapter.ts";

/**
 * Until the transaction ends, a name without a schema means Postgres' own object. Objects that
 * others made in `public` are not found.
 */
const OWN_NAMES: Statement = {
  name: "spillway.own_names",
  text: "select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true)",
  values: [],
};

/**
 * Runs work in a transaction. Commits if it resolves, and rolls back if it rejects.
 *
 * In it, all names except Postgres' own must have their schema.
 *
 * Not for postgres.js (3.4.9): a connection that breaks in one of its transactions ends the
 * process.
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
