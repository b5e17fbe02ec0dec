import { flag, type OptionTable, readOptions } from "../../internal/index.ts";
import { SpillwayError } from "../../limits/core/index.ts";
import { connect, type PostgresClient } from "./clients/index.ts";
import { INSTALL } from "./install.generated.ts";

/** The schema of the tables and functions, and how the tables are created. */
export type SchemaOptions = {
  /** The schema's name. Default: `"spillway"`. */
  readonly schema?: string;
  /**
   * Keeps states out of the write-ahead log. This is faster, but a crash of the server empties the
   * table, so every key starts anew. Replicas have no states either. Default: false. Only used when
   * the table is created.
   */
  readonly unlogged?: boolean;
};

const TABLE = { schema: checkedSchema, unlogged: flag() } satisfies OptionTable<SchemaOptions>;

/**
 * Installs or updates the schema that the store needs: four tables, four types and some functions.
 *
 * Run it at deployment, before the program that needs it. Everything that older programs use stays.
 * Running it again, or in several places at once, changes nothing more.
 *
 * The role must be allowed to create schemas in this database, or own the schema. Roles that only
 * use the schema need `usage` of it, and `select`, `insert`, `update`, `delete` on its tables.
 *
 * @param pool A pool of node-postgres, postgres.js or PGlite.
 * @throws SpillwayError `bad-client`, `bad-option`. Errors of the database are thrown unchanged,
 * such as `42P06` if other roles own something in the schema, or may create objects there.
 */
export async function migrate(pool: PostgresClient, options: SchemaOptions = {}): Promise<void> {
  const script = migration(options);
  await connect(pool, { prepare: false }).script(script);
}

/**
 * Returns the SQL that `migrate` runs, for review or for other tools. It is one statement, which
 * does everything or nothing. Pure.
 *
 * @throws SpillwayError `bad-option`
 */
export function migration(options: SchemaOptions = {}): string {
  const { schema, unlogged } = readOptions({ of: "migration" }, options, TABLE);
  return INSTALL.replaceAll("/*unlogged*/ ", unlogged ? "unlogged " : "")
    .replaceAll("'spillway'", `'${schema}'`)
    .replaceAll(/\bspillway(?=\.)|(?<=create schema )spillway\b/g, `"${schema}"`);
}

/**
 * Checks a schema's name. @throws SpillwayError `bad-option` if it is not a name, or one that needs
 * quotes elsewhere.
 */
export function checkedSchema(schema: unknown = "spillway"): string {
  if (typeof schema === "string" && /^(?!pg_)[a-z_][a-z0-9_]{0,47}$/.test(schema)) return schema;
  throw new SpillwayError({
    code: "bad-option",
    field: "schema",
    value: schema,
    expected: "1 to 48 of a to z, 0 to 9 and _, not beginning with a digit or with pg_",
  });
}
