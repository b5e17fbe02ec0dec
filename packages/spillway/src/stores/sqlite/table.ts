/** The store's tables: their names, their columns, and how they are recognized. */
import { badOption } from "../../internal/index.ts";
import { SpillwayError } from "../../limits/core/index.ts";
import { prepare, rowOf, type SqliteDatabase } from "./database.ts";

/**
 * The version of the columns, a part of the table's definition in the database. Increased when they
 * change.
 */
const VERSION = 1;

/**
 * The rows are stored in the order of their ids. So a read is one search, and a write changes one
 * tree.
 *
 * The text is compared exactly with the definition in the database. A change of it needs a new
 * version.
 */
const BODY = `(
  /* spillway ${VERSION} */
  id text primary key,
  used real not null,
  since real not null,
  previous real not null,
  unsettled real not null,
  blocked_until real not null,
  expires real not null,
  definition text not null,
  log blob
) strict, without rowid`;

/** A table, and the definition that it is recognized by. */
type TableDefinition = { readonly table: string; readonly body: string };

/** The columns of the register. Its ids are read in order, and those that are over by `until`. */
const REGISTER_BODY = `(
  /* spillway ${VERSION} */
  id text primary key,
  reason text not null,
  revision real not null,
  since real not null,
  until real not null
) strict, without rowid`;

/** Names that SQLite accepts without quotes, except its own. */
const NAME = /^(?!sqlite_)[a-z_][a-z0-9_]{0,62}$/i;

const A_NAME = "a name of 1 to 63 letters, digits and underscores that does not begin with sqlite_";

/** @throws SpillwayError `bad-option` if it is not a plain name. */
export function checkedTable(table: unknown = "spillway"): string {
  if (typeof table === "string" && NAME.test(table)) return table;
  throw badOption("table", table, A_NAME);
}

/** Returns the name as used in statements. It never means a temporary table of that name. */
export function quoted(table: string): string {
  return `main."${table}"`;
}

/** Returns the name of the table for the register. */
export function registerTable(table: string): string {
  return `${table}_exceptions`;
}

/**
 * Checks the tables that exist, and changes nothing.
 *
 * @throws SpillwayError `bad-schema` if something else has one of their names.
 */
export function checkTables(database: SqliteDatabase, table: string): void {
  hasTable(database, { table, body: BODY });
  hasTable(database, { table: registerTable(table), body: REGISTER_BODY });
}

/**
 * Creates the tables that are missing. Files of older versions have no register.
 *
 * @throws SpillwayError `bad-schema` if something else has one of their names.
 */
export function createTables(database: SqliteDatabase, table: string): void {
  const register = registerTable(table);
  if (!hasTable(database, { table, body: BODY }))
    database.exec(`create table ${quoted(table)} ${BODY}`);
  if (hasTable(database, { table: register, body: REGISTER_BODY })) return;
  database.exec(`create table ${quoted(register)} ${REGISTER_BODY};
    create index ${quoted(`${register}_until`)} on "${register}" (until)`);
}

/**
 * Whether the database has the table.
 *
 * @throws SpillwayError `bad-schema` if something else has its name.
 */
function hasTable(database: SqliteDatabase, { table, body }: TableDefinition): boolean {
  const find = "select sql from main.sqlite_schema where name = ? collate nocase";
  const found = rowOf(prepare(database, find), table);
  if (found === undefined) return false;
  const sql = found[0] as string | null;
  const present = sql?.slice(sql.indexOf("("));
  if (present === body) return true;
  throw new SpillwayError({
    code: "bad-schema",
    field: "table",
    value: table,
    expected: `a table of version ${VERSION} of this store, or nothing, under that name`,
    hint: `${whatIs(present)}. It was not changed; choose another name, or drop it`,
  });
}

function whatIs(body: string | undefined): string {
  const version = /\/\* spillway (\d+) \*\//.exec(body ?? "")?.[1];
  return version === undefined
    ? "Something that this store did not create has the name"
    : `The table has version ${version}`;
}
