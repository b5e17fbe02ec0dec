/** A statement has a connection for itself, whatever the driver; it is not done once it is late. */
import { PGlite } from "@electric-sql/pglite";
import knex from "knex";
import { Client, Pool } from "pg";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  connect,
  type Database,
  type PostgresClient,
} from "../../../src/stores/postgres/clients/connect.ts";
import { sqlState } from "../../../src/stores/postgres/clients/sql-state.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { until } from "../../servers/until.ts";
import { DIE, ECHO, FAIL, never, select } from "./statements.ts";

const COUNT = select("count(*)::text from notes");
const PREPARED = select(
  "(count(*) > 0)::text from pg_prepared_statements where statement like 'select upper%'",
);
const WRITE = {
  name: "write",
  text: "insert into notes values ($1::text) returning value",
  values: ["one"],
};

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

type Opened = AsyncDisposable & {
  readonly database: Database;
  /** Keeps the connection from everybody else. */
  occupy(until: Promise<void>): Promise<unknown>;
};

/** Each with one connection, so that what is left behind on it would be seen. */
const drivers = {
  async "node-postgres"(prepare = true): Promise<Opened> {
    const pool = new Pool({ connectionString: server.url, max: 1 });
    return {
      database: connect(pool, { prepare }),
      async occupy(until) {
        const client = await pool.connect();
        await until;
        client.release();
      },
      [Symbol.asyncDispose]: () => pool.end(),
    };
  },
  async "postgres.js"(prepare = true): Promise<Opened> {
    const sql = postgres(server.url, { max: 1, onnotice() {} });
    return {
      database: connect(sql, { prepare }),
      occupy: (until) => sql.begin(() => until),
      [Symbol.asyncDispose]: () => sql.end(),
    };
  },
  async PGlite(): Promise<Opened> {
    const database = await PGlite.create();
    return {
      database: connect(database),
      occupy: (until) => database.transaction(() => until),
      [Symbol.asyncDispose]: () => database.close(),
    };
  },
};

describe.each(Object.entries(drivers))("%s", (_, open) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
    await opened.database.script("drop table if exists notes; create table notes (value text)");
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test("answers with the only column of the only row", async () => {
    expect(await opened.database.run(ECHO, never)).toBe("IT'S $1\\?!");
  });

  test("says so where there is none", async () => {
    const none = opened.database.run(select("null::text"), never);
    await expect(none).rejects.toThrow("returned null, expected a text");
  });

  test("rejects with the database's own error, and goes on", async () => {
    const error = await opened.database.run(FAIL, never).catch((error: unknown) => error);
    expect(sqlState(error)).toBe("22012");
    expect(await opened.database.run(ECHO, never)).toContain("!");
  });

  test("runs all of a script, or none of it", async () => {
    const write = "insert into notes values ('a'), ('b');";
    await expect(opened.database.script(`${write} select 1 / 0; ${write}`)).rejects.toThrow();
    expect(await opened.database.run(COUNT, never)).toBe("0");
    await opened.database.script(`${write} delete from notes where value = 'a'`);
    expect(await opened.database.run(COUNT, never)).toBe("1");
  });

  test.each(["not yet", "already"])("does nothing late, be it %s prepared", async () => {
    await opened.database.script("truncate notes");
    const { promise: free, resolve: release } = Promise.withResolvers<void>();
    const occupied = opened.occupy(free);
    let isLate = false;
    const all = [1, 2, 3].map(() => opened.database.run(WRITE, () => isLate));
    isLate = true;
    release();
    for (const one of all) await expect(one).rejects.toThrow("no connection was free in time");
    await occupied;
    expect(await opened.database.run(COUNT, never)).toBe("0");
    expect(await opened.database.run(WRITE, never)).toBe("one");
  });

  test("runs many at once", async () => {
    const all = Array.from({ length: 200 }, (_, n) => select("$1::text", `${n}`));
    const answers = await Promise.all(all.map((one) => opened.database.run(one, never)));
    expect(answers).toEqual(all.map(({ values }) => values[0]));
  });
});

const { PGlite: _, ...remote } = drivers;

describe.each(Object.entries(remote))("over a network, %s", (_, open) => {
  test.each([true, false])("has statements prepared: %s", async (prepare) => {
    await using opened = await open(prepare);
    await opened.database.run(ECHO, never);
    expect(await opened.database.run(PREPARED, never)).toBe(`${prepare}`);
  });

  test("replaces a connection that was ended", async () => {
    await using opened = await open();
    for (let time = 0; time < 3; time++) {
      await expect(opened.database.run(DIE, never)).rejects.toThrow();
      // postgres.js tells whoever comes next as well that it was ended.
      await until(() => opened.database.run(ECHO, never).then(Boolean), { what: "it goes on" });
    }
  });

  test("does nothing late where a connection has to be made, which is then there", async () => {
    await using opened = await open();
    await expect(opened.database.run(ECHO, () => true)).rejects.toThrow(
      "no connection was free in time",
    );
    expect(await opened.database.run(ECHO, never)).toContain("!");
  });
});

describe("what is no pool is refused", () => {
  const sql = postgres({ max: 1 });
  test.each([
    ["a URL", "postgres://127.0.0.1"],
    ["nothing", undefined],
    ["null", null],
    ["options", { host: "127.0.0.1", port: 5432 }],
    ["a client of something else", { connect() {}, query() {} }],
    ["what a pool has lent", Object.assign(new Client(), { release() {} })],
    ["a transaction", Object.assign(sql.bind(undefined), { unsafe() {}, savepoint() {} })],
    ["what makes queries", knex({ client: "pg" })],
  ])("%s", (_, given) => {
    const error = { code: "bad-client", field: "pool" };
    expect(() => connect(given as PostgresClient)).toThrow(expect.objectContaining(error));
  });
});
