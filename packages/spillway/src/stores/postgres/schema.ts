import { flag, type OptionTable, readOptions } from "../../internal/index.ts";
import { SpillwayError } from "../../limits/core/index.ts";
import { connect, type PostgresClient } from "./clients/index.ts";
import { INSTALL } from "./install.generated.ts";

/** Where the tables and functions are, and how they are made. */
export type SchemaOptions = {
  /** The schema's name. Default: `"spillway"`. */
  readonly schema?: string;
  /**
   * Keeps states out of the write-ahead log: faster, but after a crash of the server all are empty,
   * and every key begins anew; nor are they on replicas. Default: false. Only read when the
   * table is made.
   */
  readonly unlogged?: boolean;
};

const TABLE = { schema: checkedSchema, unlogged: flag() } satisfies OptionTable<SchemaOptions>;

/**
 * Installs, or brings up to date, what the store needs: a schema, three tables, four types and some
 * functions. Run it when you deploy, before the program that needs it: what older programs use stays.
 * Running it again, or in several places at once, does nothing further.
 *
 * It takes a role that may create schemas in this database, or that owns the schema. Those who only
 * use it need `usage` of the schema and `select`, `insert`, `update`, `delete` on its tables.
 *
 * @param pool Of node-postgres, postgres.js or PGlite.
 * @throws SpillwayError `bad-client`, `bad-option`; errors of the database as they are, such as `42P06` for a
 *   schema in which strangers own something or may create.
 */
export async function migrate(pool: PostgresClient, options: SchemaOptions = {}): Promise<void> {
  const script = migration(options);
  await connect(pool, { prepare: false }).script(script);
}

/**
 * What `migrate` runs, as plain SQL for those who review it or have tools of their own: one statement
 * that does all of it or nothing.
 *
 * @throws SpillwayError `bad-option`
 */
export function migration(options: SchemaOptions = {}): string {
  const { schema, unlogged } = readOptions({ of: "migration" }, options, TABLE);
  return INSTALL.replaceAll("/*unlogged*/ ", unlogged ? "unlogged " : "")
    .replaceAll("'spillway'", `'${schema}'`)
    .replaceAll(/\bspillway(?=\.)|(?<=create schema )spillway\b/g, `"${schema}"`);
}

/** @throws SpillwayError `bad-option` for what is no name, or one that would need care elsewhere. */
export function checkedSchema(schema: unknown = "spillway"): string {
  if (typeof schema === "string" && /^(?!pg_)[a-z_][a-z0-9_]{0,47}$/.test(schema)) return schema;
  throw new SpillwayError({
    code: "bad-option",
    field: "schema",
    value: schema,
    expected: "1 to 48 of a to z, 0 to 9 and _, not beginning with a digit or with pg_",
  });
}
