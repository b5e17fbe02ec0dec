/** The drivers that a store can use. Only their types are declared here; nothing is imported. */
import { SpillwayError } from "../../../limits/core/index.ts";
import type { Database, SendOptions } from "./connection.ts";
import {
  isPgClient,
  isPgPool,
  overPgClient,
  overPgPool,
  type PgClient,
  type PgPool,
} from "./pg.ts";
import { isPgLite, overPgLite, type PgLite } from "./pglite.ts";
import { isPostgresJsSql, overPostgresJs, type PostgresJsSql } from "./postgres-js.ts";

export type { Database, PostgresConnection, SendOptions, Statement } from "./connection.ts";
export type { PgClient, PgPool } from "./pg.ts";
export type { PgLite } from "./pglite.ts";
export type { PostgresJsSql } from "./postgres-js.ts";

/** A driver's pool or client. The caller creates and closes it. */
export type PostgresClient = PgPool | PgClient | PostgresJsSql | PgLite;

/**
 * Wraps a pool or client in the interface that the store uses. @throws SpillwayError `bad-client`
 * if it is neither.
 */
export function connect(pool: PostgresClient, sending: SendOptions = { prepare: true }): Database {
  if (isPgPool(pool)) return overPgPool(pool, sending);
  // A client that a pool has lent has another user, and goes back to the pool. So it is not
  // accepted.
  if (isPgClient(pool) && !("release" in pool)) return overPgClient(pool, sending);
  if (isPostgresJsSql(pool)) return overPostgresJs(pool, sending);
  if (isPgLite(pool)) return overPgLite(pool);
  throw new SpillwayError({
    code: "bad-client",
    field: "pool",
    value: pool,
    isPrivate: true,
    expected: "a Pool of node-postgres, the sql of postgres.js or a PGlite",
    hint: "Pass the pool itself: not its URL or options, a transaction, or a query builder over it",
  });
}
