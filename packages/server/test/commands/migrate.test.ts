import { readFileSync } from "node:fs";
import { migration } from "spillway/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../../spillway/test/servers/postgres/query.ts";
import { shadowAll, sprung } from "../../../spillway/test/servers/postgres/strangers.ts";
import { Command } from "../support/command.ts";
import { type Guarded, SECRET, startGuarded } from "../support/postgres.ts";
import { startService } from "../support/service-process.ts";
import { ask, YEARLY } from "../support/yearly.ts";

const VERSION_1 = readFileSync(
  new URL("../../../spillway/test/stores/postgres/fixtures/version-1.sql", import.meta.url),
  "utf8",
);

// Processes are slow to start on a busy machine.

/** What a run that must succeed prints. */
async function printed(args: readonly string[], env?: Readonly<Record<string, string>>) {
  const command = new Command(["migrate", ...args], env);
  expect([await command.ended(), command.stderr]).toEqual([0, ""]);
  return command.stdout;
}

/** What a run that must fail says: a line, and never a stack trace. */
async function complaint(args: readonly string[], env?: Readonly<Record<string, string>>) {
  const command = new Command(["migrate", ...args], env);
  expect([await command.ended(), command.stdout]).toEqual([1, ""]);
  expect(command.stderr).toMatch(/^[^\n]+\n$/);
  return command.stderr.trimEnd();
}

/** Where a version is looked for there is a view, which runs a function with the rights of whoever looks. */
const TAKEN = `
  create schema taken authorization bob;
  set role bob;
  create table taken.budgets ();
  create function taken.spring() returns int language plpgsql as $$ begin raise 'made by a stranger'; end $$;
  create view taken.migrations as select taken.spring() as version;
  grant select on all tables in schema taken to public;
  reset role`;

describe("spillway migrate", () => {
  let guarded: Guarded;
  let ann: string;
  beforeAll(async () => {
    guarded = await startGuarded();
    ann = guarded.urlFor("ann", SECRET);
  });
  afterAll(() => guarded.server.stop());

  it("installs, and says that it is there when run again", async () => {
    const told = `postgres://${guarded.place}: schema spillway is`;
    expect(await printed(["--store", ann])).toBe(`${told} installed, at version 4\n`);
    const env = { SPILLWAY_STORE: ann };
    expect(await printed([], env)).toBe(`${told} up to date, at version 4\n`);
  });

  it("says from which version it was brought", async () => {
    await query({ url: ann }, `drop schema if exists spillway cascade; ${VERSION_1}`);
    expect(await printed(["--store", ann])).toBe(
      `postgres://${guarded.place}: schema spillway is upgraded from version 1 to version 4\n`,
    );
  });

  it("prints what would do the same, and connects to nothing", async () => {
    const sql = await printed(["--print", "--schema", "by_hand"]);
    expect(sql.startsWith(`${migration({ schema: "by_hand" })}\n`)).toBe(true);
    await query({ url: ann }, sql);
    await query({ url: ann }, "select version, entry from by_hand.audit");
    expect(await printed(["--store", ann, "--schema", "by_hand"])).toContain(
      "schema by_hand is up to date, at version 4",
    );
    const gone = "postgres://ann@127.0.0.1:1/app";
    expect(await printed(["--print", "--unlogged", "--store", gone])).toContain("unlogged table");
  });

  it("makes states that are not logged, and never changes how they were made", async () => {
    const unlogged = ["--store", ann, "--unlogged", "--schema"];
    expect(await printed([...unlogged, "fast"])).toMatch(/^[^\n]*fast is installed[^\n]*\n$/);
    await printed(["--store", ann, "--schema", "slow"]);
    const said = await printed([...unlogged, "slow"]);
    expect(said).toMatch(/slow is up to date/);
    const [, change = ""] = /^Its tables are logged, .* run: (.*)$/m.exec(said) ?? [];
    await query({ url: ann }, change);
    expect(await printed([...unlogged, "slow"])).not.toContain("Its tables are logged");
  });

  it("runs nothing that strangers have made in a schema that is searched", async () => {
    const { server, place } = guarded;
    const app = { url: server.url.replace(/[^/]*$/, "app") };
    await query(app, "alter role ann set search_path = public, pg_catalog");
    await shadowAll(app);
    const args = ["--store", ann, "--schema", "wary"];
    const told = `postgres://${place}: schema wary is`;
    expect(await printed(args)).toBe(`${told} installed, at version 4\n`);
    expect(await printed(args)).toBe(`${told} up to date, at version 4\n`);
    await using service = await startService({ rules: YEARLY, args: args });
    expect((await ask(service)).body.remaining).toBe(99);
    expect(service.warnings).toEqual([]);
    expect(sprung(server)).toEqual([]);
  });

  it("refuses a schema of a stranger's, and runs nothing that is in it", async () => {
    const { server, place } = guarded;
    const app = { url: server.url.replace(/[^/]*$/, "app") };
    for (const rights of ["", "grant all on schema taken to public"]) {
      await query(app, rights === "" ? TAKEN : rights);
      const said = await complaint(["--store", ann, "--schema", "taken"]);
      const start = `migration-failed postgres://${place}: schema taken is not safe: `;
      expect(said).toContain(`${start}the schema belongs to bob, whose code would run`);
    }
  });

  it("says what is in the way", async () => {
    await query(guarded.server, "alter role ann reset search_path");
    const place = `postgres://${guarded.place}`;
    const bob = await complaint(["--store", guarded.urlFor("bob", SECRET), "--schema", "bobs"]);
    expect(bob).toBe(
      `migration-failed ${place}: permission denied for database app. Use a role that may create ` +
        "schemas in the database, or that owns the schema",
    );
    const wrong = await complaint(["--store", guarded.urlFor("ann", "wr0ng")]);
    expect(wrong).toBe(`migration-failed ${place}: password authentication failed for user "ann"`);
  });
});

describe("spillway migrate, where it can't", () => {
  it.each([
    ["postgres://ann:s3cret@127.0.0.1:1/app", "migration-failed postgres://127.0.0.1:1/app: "],
    ["redis://:s3cret@127.0.0.1/0", "bad-store --store, or SPILLWAY_STORE, is not a Postgres"],
    ["memory", "bad-store --store, or SPILLWAY_STORE, is not a Postgres database"],
    ["postgres:s3cret@one", 'bad-store --store, or SPILLWAY_STORE, is "***@one", expected postg'],
    ["", 'bad-store --store, or SPILLWAY_STORE, is "", expected memory, '],
  ])("says so, and no password: %s", async (store, start) => {
    const commands = [[["--store", store], {}] as const];
    // A variable that is empty counts as not set.
    if (store !== "") commands.push([[], { SPILLWAY_STORE: store }] as never);
    for (const [args, env] of commands) {
      const said = await complaint(args, env);
      expect(said.slice(0, start.length)).toBe(start);
      expect(said).not.toContain("s3cret");
    }
  });

  it("wants a store, and the name of a schema", async () => {
    expect(await complaint([])).toMatch(/^bad-store .* is missing, expected postgres:/);
    expect(await complaint(["--print", "--schema", "a-b"])).toMatch(/^bad-schema .* is "a-b", /);
  });
});
