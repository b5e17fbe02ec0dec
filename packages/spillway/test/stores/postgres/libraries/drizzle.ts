import { PGlite } from "@electric-sql/pglite";
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { drizzle as drizzleLite } from "drizzle-orm/pglite";
import { drizzle as drizzleJs } from "drizzle-orm/postgres-js";
import { Pool } from "pg";
import postgres from "postgres";
import type { PostgresClient } from "../../../../src/stores/postgres/clients/connect.ts";
import type { Library, Open } from "./library.ts";

/** Drizzle over node-postgres. */
export const openDrizzlePg: Open = async (url) => {
  const pool = new Pool({ connectionString: url });
  return over(drizzlePg(pool), pool, () => pool.end());
};

/** Drizzle over postgres.js. */
export const openDrizzleJs: Open = async (url) => {
  const sql = postgres(url, { onnotice() {} });
  return over(drizzleJs(sql), sql, () => sql.end());
};

/** Drizzle over PGlite. */
export const openDrizzleLite: Open = async () => {
  const database = await PGlite.create();
  return over(drizzleLite(database), database, () => database.close());
};

/** Whose nested transactions are savepoints. */
function over<T extends PgQueryResultHKT>(
  root: PgDatabase<T>,
  database: PostgresClient,
  close: () => Promise<void>,
): Library {
  return {
    root,
    database,
    transact: (work) =>
      root.transaction((outer) => work(outer, (nested) => outer.transaction(nested))),
    [Symbol.asyncDispose]: close,
  };
}
