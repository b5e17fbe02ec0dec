import { escapeIdentifier } from "pg";
import { migrate as install, migration } from "spillway/postgres";
import { CommandError } from "../process/command-error.ts";
import type { PostgresLocation, StoreLocation } from "../process/places/index.ts";
import {
  auditMigration,
  type DatabaseTarget,
  type InstalledSchema,
  installedIn,
  postgresPool,
  troubleOf,
  withSchema,
} from "../process/stores/postgres/index.ts";
import type { MigrateOptions } from "./migrate-options.ts";

/** How long a connection may take, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/** Postgres' code for a missing privilege. */
const NO_RIGHT = "42501";
const RIGHTS = ". Use a role that may create schemas in the database, or that owns the schema";

/**
 * `spillway migrate`: installs or updates the schema of a store in Postgres.
 *
 * @throws CommandError `bad-schema`, `bad-store`, `migration-failed`.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { store, schema, unlogged = false, print = false } = options;
  const audit = auditMigration(escapeIdentifier(schema));
  const sql = withSchema(() => `${migration({ schema, unlogged })}\n${audit}`);
  if (print) return console.log(sql);
  const place = databaseOf(store);
  const target = { name: place.name, schema };
  try {
    for (const line of await run(place, { schema, unlogged, audit })) console.log(line);
  } catch (error) {
    throw failed(error, target);
  }
}

function databaseOf(store: StoreLocation | undefined): PostgresLocation {
  if (typeof store === "object" && store.topology === "database") return store;
  const found = store === undefined ? "missing" : "not a Postgres database";
  throw new CommandError(
    "bad-store",
    `--store, or SPILLWAY_STORE, is ${found}, expected postgres://user:password@host:port/database`,
  );
}

type MigrationSettings = {
  readonly schema: string;
  readonly unlogged: boolean;
  /** The statement that creates the table of the audit log. */
  readonly audit: string;
};

/** Migrates, and returns lines that report the result. */
async function run(place: PostgresLocation, { schema, unlogged, audit }: MigrationSettings) {
  const pool = postgresPool(place, { connectionTimeoutMillis: CONNECT_TIMEOUT, max: 1 });
  try {
    const before = await installedIn(pool, schema);
    await install(pool, { schema, unlogged });
    await pool.query(audit);
    const after = (await installedIn(pool, schema)) as InstalledSchema;
    const line = `${place.name}: schema ${schema} is ${changeOf(before, after)}`;
    return unlogged && !after.unlogged ? [line, logged(schema)] : [line];
  } finally {
    await pool.end();
  }
}

function changeOf(before: InstalledSchema | undefined, { version }: InstalledSchema): string {
  if (before === undefined) return `installed, at version ${version}`;
  if (before.version === version) return `up to date, at version ${version}`;
  return `upgraded from version ${before.version} to version ${version}`;
}

/** An installed schema stays logged or unlogged, even if a later call asks for the other. */
function logged(schema: string): string {
  const change = `alter table "${schema}".budgets set unlogged`;
  return `Its tables are logged, as they were installed; to change that, run: ${change}`;
}

function failed(error: unknown, target: DatabaseTarget): CommandError {
  const isNotAllowed = (error as { readonly code?: string }).code === NO_RIGHT;
  const hint = isNotAllowed ? RIGHTS : "";
  return new CommandError("migration-failed", `${target.name}: ${troubleOf(error, target)}${hint}`);
}
