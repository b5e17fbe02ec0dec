/** The schema that a store in Postgres needs. */
import { escapeIdentifier, type Pool } from "pg";
import { display, SpillwayError } from "spillway/core";
import { CommandError } from "../command-error.ts";

/** The table of a name. Names have their schema: strangers may have made functions that fit better. */
const FOUND = "pg_catalog.to_regclass($1::pg_catalog.text)";

/** What is installed. */
export type Installed = {
  readonly version: number;
  /** Whether states are kept out of the write-ahead log. */
  readonly unlogged: boolean;
};

/** Whether anything is installed: whoever may ask for budgets may ask this. */
export async function isInstalled(pool: Pool, schema: string): Promise<boolean> {
  const text = `select ${FOUND} is not null as found`;
  const { rows } = await pool.query<{ found: boolean }>(text, [budgetsOf(schema)]);
  return rows[0]?.found === true;
}

/** Reads what is installed, where anything is: for whoever owns it. */
export async function installedIn(pool: Pool, schema: string): Promise<Installed> {
  const text = `
    select pg_catalog.max(version) as version, (
      select relpersistence operator(pg_catalog.=) 'u' from pg_catalog.pg_class
      where oid operator(pg_catalog.=) ${FOUND}::pg_catalog.oid) as unlogged
    from ${escapeIdentifier(schema)}.migrations`;
  const { rows } = await pool.query<Installed>(text, [budgetsOf(schema)]);
  return rows[0] as Installed;
}

/** The table of states. */
function budgetsOf(schema: string): string {
  return `${escapeIdentifier(schema)}.budgets`;
}

/** Makes what needs the name of a schema. @throws CommandError `bad-schema` for what is no name. */
export function withSchema<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SpillwayError) || error.field !== "schema") throw error;
    const found = `--schema, or SPILLWAY_SCHEMA, is ${display(error.value)}`;
    throw new CommandError("bad-schema", `${found}, expected ${error.expected}`);
  }
}
