/** Entries of an audit log in a table of Postgres. */
import { escapeIdentifier, type Pool } from "pg";
import type { PostgresLocation } from "../../places/index.ts";
import {
  auditMigration,
  auditTable,
  notInstalled,
  postgresPool,
  troubleOf,
} from "../postgres/index.ts";
import { type EntryStore, MOST_KEPT } from "./contracts.ts";

/** How long a connection, and an answer, may take, in milliseconds. */
const DEADLINE = 2000;

/** Postgres' code for a missing table. */
const NO_TABLE = "42P01";

/**
 * Opens the table of a schema. Nothing is read yet, so a database that is not there fails calls.
 *
 * The number of an entry is its primary key. Two services that insert the same one wait for each
 * other, and the second inserts nothing.
 */
export function postgresEntries(
  place: PostgresLocation,
  { schema }: { readonly schema: string },
): EntryStore {
  const settings = { connectionTimeoutMillis: DEADLINE, query_timeout: DEADLINE };
  const pool = postgresPool(place, { max: 1, ...settings });
  const table = auditTable(escapeIdentifier(schema));
  const create = auditMigration(escapeIdentifier(schema));
  const target = { name: place.name, schema };
  return {
    where: `table ${schema}.audit in ${place.name}`,
    newest: async (count) => {
      const { rows } = await withTable(pool, create, () =>
        pool.query<{ entry: string }>(newest(table), [count]),
      );
      return rows.map(({ entry }) => entry);
    },
    put: async ({ version, text }) => {
      const values = [version, text, version - MOST_KEPT];
      const { rowCount } = await withTable(pool, create, () => pool.query(put(table), values));
      return rowCount === 1;
    },
    explain: (error) => (isMissing(error) ? notInstalled(target) : troubleOf(error, target)),
    close: () => pool.end(),
  };
}

/** Runs a query. If the table is missing and may be created, that is done first. */
async function withTable<T>(pool: Pool, create: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Another service may be creating it too. What remains wrong fails the query again.
    await pool.query(create).catch(() => {});
    return run();
  }
}

function isMissing(error: unknown): boolean {
  return (error as { readonly code?: string }).code === NO_TABLE;
}

function newest(table: string): string {
  return `select entry from ${table} order by version desc limit $1::pg_catalog.int8`;
}

function put(table: string): string {
  return `
    with kept as (
      insert into ${table} (version, entry) select $1::pg_catalog.int8, $2::pg_catalog.text
      where not exists (select from ${table}
        where version operator(pg_catalog.>=) $1::pg_catalog.int8)
      on conflict (version) do nothing returning version
    ), dropped as (
      delete from ${table} where version operator(pg_catalog.<=) $3::pg_catalog.int8
        and exists (select from kept)
    )
    select version from kept`;
}
