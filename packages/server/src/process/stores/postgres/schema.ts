/** The schema of a store in Postgres. */
import { escapeIdentifier, type Pool } from "pg";
import { SpillwayError } from "spillway/core";
import { display } from "spillway/support";
import { CommandError } from "../../command-error.ts";

/** An installed schema. */
export type InstalledSchema = {
  readonly version: number;
  /** Whether states are kept out of the write-ahead log. */
  readonly unlogged: boolean;
};

/** Whether anything is installed. Every role that may use budgets may ask this. */
export async function isInstalled(pool: Pool, schema: string): Promise<boolean> {
  const text = "select pg_catalog.to_regclass($1::pg_catalog.text) is not null as found";
  const values = [`${escapeIdentifier(schema)}.budgets`];
  const { rows } = await pool.query<{ found: boolean }>(text, values);
  return rows[0]?.found === true;
}

const NAMESPACE = "pg_catalog.to_regnamespace($1::pg_catalog.text)::pg_catalog.oid";
const VERSION = "pg_catalog.substring(proname::pg_catalog.text, '^v([0-9]{1,4})_execute$')";
/**
 * Queries only Postgres' own catalogs, by schema-qualified names. Objects in the schema itself may
 * belong to another role until `migrate` has checked their owner: a view runs functions with the
 * reader's privileges.
 */
const INSTALLED = `
  select pg_catalog.max(${VERSION}::pg_catalog.int4) as version, (
    select relpersistence operator(pg_catalog.=) 'u' from pg_catalog.pg_class
    where relnamespace operator(pg_catalog.=) ${NAMESPACE}
    and relname operator(pg_catalog.=) 'budgets'::pg_catalog.name) as unlogged
  from pg_catalog.pg_proc where pronamespace operator(pg_catalog.=) ${NAMESPACE}`;

/** Reads what is installed; undefined if nothing is. */
export async function installedIn(
  pool: Pool,
  schema: string,
): Promise<InstalledSchema | undefined> {
  type SchemaRow = { readonly version: number | null; readonly unlogged: boolean };
  const { rows } = await pool.query<SchemaRow>(INSTALLED, [escapeIdentifier(schema)]);
  const { version, unlogged } = rows[0] as SchemaRow;
  return version === null ? undefined : { version, unlogged };
}

/**
 * Calls a function that needs a schema's name. @throws CommandError `bad-schema` if the name is
 * invalid.
 */
export function withSchema<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SpillwayError) || error.field !== "schema") throw error;
    const found = `--schema, or SPILLWAY_SCHEMA, is ${display(error.value)}`;
    throw new CommandError("bad-schema", `${found}, expected ${error.expected}`);
  }
}
