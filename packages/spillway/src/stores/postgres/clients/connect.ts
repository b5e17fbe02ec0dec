/** The drivers that a store can talk through: described, not imported. */
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

/** A driver's pool or client, made and closed by the caller. */
export type PostgresClient = PgPool | PgClient | PostgresJsSql | PgLite;

/** @throws SpillwayError `bad-client` for what is none. */
export function connect(pool: PostgresClient, sending: SendOptions = { prepare: true }): Database {
  if (isPgPool(pool)) return overPgPool(pool, sending);
  // What a pool has lent is somebody's, and goes back to the pool.
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
