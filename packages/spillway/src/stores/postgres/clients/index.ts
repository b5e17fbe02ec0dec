/**
 * Drivers and query builders of Postgres, for the store and for queues. Nothing is imported from
 * them.
 */
export {
  connect,
  type PgLite,
  type PgPool,
  type PostgresClient,
  type PostgresConnection,
  type Statement,
} from "./connect.ts";
export { isPgPool } from "./pg.ts";
export { isPgLite } from "./pglite.ts";
export { placeOfDatabase } from "./place.ts";
export { sqlState } from "./sql-state.ts";
export { transact } from "./transact.ts";
export { adaptTransaction, type TransactionConnection } from "./transaction-adapter.ts";
