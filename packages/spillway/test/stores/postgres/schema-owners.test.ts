/** Whose a schema may be for `migrate` to install in it, and that it leaves settings as they were. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, migration } from "../../../src/stores/postgres/index.ts";
import { query } from "../../servers/postgres/query.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  for (const role of ["shop", "mallory"]) {
    await query(server, `create role ${role} login; grant create on database postgres to ${role}`);
  }
});
afterAll(() => server[Symbol.asyncDispose]());

const urlOf = (database: string, role: string) =>
  server.url.replace(/\/\/[^/]*@/, `//${role}@`).replace(/[^/]*$/, database);

async function migrated(role: string, schema: string, database = "postgres"): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(database, role) });
  await client.connect();
  try {
    await migrate(client, { schema });
  } finally {
    await client.end();
  }
}

/** What strangers may have in a schema `$` of the role `#`: what is said of it, how it comes to be, and how it ends. */
const OBSTACLES = {
  "the schema": ["alter schema $ owner to mallory", "alter schema $ owner to #"],
  "its notes": [
    "create table $.notes (); alter table $.notes owner to mallory",
    "drop table $.notes",
  ],
  "its function one": [
    "create function $.one() returns int language sql as 'select 1'; alter function $.one owner to mallory",
    "drop function $.one",
  ],
  "its type one": [
    "create domain $.one as int; alter domain $.one owner to mallory",
    "drop domain $.one",
  ],
  "the right to create in it": [
    "grant create on schema $ to public",
    "revoke create on schema $ from public",
  ],
} as const;

const cases = Object.entries(OBSTACLES).flatMap(([thing, [arises, ends]]) =>
  ["shop", "postgres"].flatMap((role) =>
    ["nothing", "the schema"].map((before) => ({ thing, arises, ends, role, before })),
  ),
);

let schemas = 0;

test.each(cases)("migrate refuses $role, where $before was installed: $thing", async (given) => {
  const { thing, role, before } = given;
  const schema = `spillway_${++schemas}`;
  const run = (sql: string) => query(server, sql.replaceAll("$", schema).replaceAll("#", role));
  await run("create schema $ authorization #");
  if (before === "the schema") await migrated(role, schema);
  await run(given.arises);
  const owner = thing === "the right to create in it" ? "everybody" : "mallory";
  const refusal = expect.objectContaining({
    code: "42P06",
    message: expect.stringContaining(
      `schema ${schema} is not safe: ${thing} belongs to ${owner}, whose code would run with`,
    ),
  });
  await expect(migrated(role, schema)).rejects.toThrow(refusal);
  await run(given.ends);
  await migrated(role, schema);
});

test("migrate takes one of an administrator's, or of a role that it is a member of", async () => {
  await query(
    server,
    `create role administrator superuser; create schema of_administrator authorization administrator;
    grant usage, create on schema of_administrator to shop;
    create role deployers; grant deployers to shop; create schema of_deployers authorization deployers`,
  );
  await migrated("shop", "of_administrator");
  await migrated("shop", "of_deployers");
});

test("migrate takes one of the database's owner", async () => {
  await query(server, "create role landlord login");
  await query(server, "create database let owner landlord");
  await query(
    { url: urlOf("let", "landlord") },
    "create schema rooms; grant usage, create on schema rooms to shop",
  );
  await migrated("shop", "rooms", "let");
  await migrated("landlord", "public", "let");
});

test("migrate leaves settings as they were, in a transaction of its own or not", async () => {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const settings = async () =>
    (
      await client.query(
        "select pg_catalog.current_setting('search_path') as path, pg_catalog.current_setting('client_min_messages') as messages",
      )
    ).rows;
  await client.query("set search_path = public, pg_catalog; set client_min_messages = 'error'");
  const before = await settings();
  for (const schema of ["once", "once"]) {
    await client.query(migration({ schema }));
    expect(await settings()).toEqual(before);
    await client.query("begin");
    await client.query(migration({ schema: `${schema}_more` }));
    expect(await settings()).toEqual(before);
    await client.query("commit");
  }
  await client.end();
});
