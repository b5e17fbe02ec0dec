import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import {
  migrate,
  migration,
  type PostgresClient,
  type PostgresStoreOptions,
  postgresStore,
} from "../../../src/stores/postgres/index.ts";
import type { SchemaOptions } from "../../../src/stores/postgres/schema.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";

const LIMITS = { orders: { kind: "token bucket", rate: 5, period: "1h" } } as const;
const code = (expected: string, field?: string) =>
  expect.objectContaining(field === undefined ? { code: expected } : { code: expected, field });

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 4 });
});
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});

const installed = async () =>
  (await pool.query("select nspname from pg_namespace where nspname not like 'pg%'")).rows;

describe("a postgres store is refused", () => {
  test.each([
    ["a URL", "postgres://127.0.0.1"],
    ["nothing", undefined],
    ["options", { host: "127.0.0.1", port: 5432 }],
    ["a client of something else", { get() {}, set() {} }],
  ])("on %s", (_, given) => {
    const make = () => postgresStore(given as unknown as PostgresClient);
    expect(make).toThrow(code("bad-client", "pool"));
  });

  test.each([
    ["schema", 'x"; drop table users; --'],
    ["schema", "x'||'y"],
    ["schema", "Limits"],
    ["schema", "pg_catalog"],
    ["schema", "a".repeat(49)],
    ["schema", ""],
    ["schema", 7],
    ["prepare", "no"],
    ["deadline", 0],
  ])("for its option %s: %j", (field, value) => {
    const options = { [field]: value } as unknown as PostgresStoreOptions;
    expect(() => postgresStore(pool, options)).toThrow(code("bad-option", field));
  });

  test("for an option that there isn't", () => {
    const options = { scheme: "x" } as unknown as PostgresStoreOptions;
    expect(() => postgresStore(pool, options)).toThrow(code("unknown-field"));
  });
});

describe("migrate", () => {
  test("refuses a name that is an injection, and runs nothing", async () => {
    const before = await installed();
    const options = { schema: 'x"; create schema pwned; --' };
    await expect(migrate(pool, options)).rejects.toThrow(code("bad-option", "schema"));
    expect(() => migration({ unlogged: 1 } as unknown as SchemaOptions)).toThrow(
      code("bad-option", "unlogged"),
    );
    expect(await installed()).toEqual(before);
  });

  test("may be run by many at once, and again, and keeps what there is", async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(pool, { schema: "many" })));
    const limiter = new RateLimiter(LIMITS, {
      store: postgresStore(pool, { schema: "many", deadline: 20_000 }),
    });
    await limiter.limit("orders", { key: "k" });
    await migrate(pool, { schema: "many" });
    expect(await limiter.value("orders", { key: "k" })).toMatchObject({ remaining: 4 });
    const { rows } = await pool.query("select version from many.migrations");
    expect(rows).toEqual([{ version: 4 }]);
  });

  test("leaves a newer schema as it is", async () => {
    await migrate(pool, { schema: "newer" });
    await pool.query("insert into newer.migrations (version) values (99)");
    await pool.query("drop function newer.v4_sweep");
    await migrate(pool, { schema: "newer" });
    const { rows } = await pool.query("select to_regproc('newer.v4_sweep') as sweep");
    expect(rows).toEqual([{ sweep: null }]);
  });

  test("works under a name that is a word of SQL, beside another", async () => {
    for (const schema of ["order", "select", "z".repeat(48)]) {
      await migrate(pool, { schema, unlogged: true });
      const store = postgresStore(pool, { schema, deadline: 20_000 });
      const limiter = new RateLimiter(LIMITS, { store });
      expect((await limiter.limit("orders", { count: 3 })).remaining).toBe(2);
    }
    const { rows } = await pool.query(
      "select relpersistence as kept from pg_class where oid = '\"order\".budgets'::regclass",
    );
    expect(rows).toEqual([{ kept: "u" }]);
  });

  test("can be printed and run by other means, by a role that may create schemas", async () => {
    await pool.query("create role deployer login; grant create on database postgres to deployer");
    const url = server.url.replace(/\/\/[^@]*@/, "//deployer@");
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    try {
      await other.query(migration({ schema: "printed" }));
    } finally {
      await other.end();
    }
    const { rows } = await pool.query(
      "select nspowner::regrole::text as owner from pg_namespace where nspname = 'printed'",
    );
    expect(rows).toEqual([{ owner: "deployer" }]);
  });
});

describe("within", () => {
  test("needs a store that has transactions", () => {
    const limiter = new RateLimiter(LIMITS, { store: memoryStore() });
    expect(() => limiter.within(pool)).toThrow(code("no-transactions", "store"));
  });

  test("needs a transaction: not the pool, not a client without one", async () => {
    await migrate(pool);
    const limiter = new RateLimiter(LIMITS, { store: postgresStore(pool) });
    expect(() => limiter.within(pool)).toThrow(code("bad-transaction", "transaction"));
    expect(() => limiter.within({})).toThrow(code("bad-transaction", "transaction"));
    const client = await pool.connect();
    try {
      expect(() => limiter.within(client)).toThrow(code("bad-transaction", "transaction"));
    } finally {
      client.release();
    }
  });

  test("is refused in a transaction that has failed, and writes nothing", async () => {
    const limiter = new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline: 20_000 }) });
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("select 1 / 0").catch(() => {});
      const asked = limiter.within(client).limit("orders", { key: "aborted" });
      await expect(asked).rejects.toThrow(code("bad-transaction"));
      await client.query("rollback");
    } finally {
      client.release();
    }
    expect(await limiter.value("orders", { key: "aborted" })).toMatchObject({ remaining: 5 });
  });

  test("where nothing is installed, says so", async () => {
    const limiter = new RateLimiter(LIMITS, { store: postgresStore(pool, { schema: "nowhere" }) });
    const client = await pool.connect();
    try {
      await client.query("begin");
      await expect(limiter.within(client).limit("orders")).rejects.toThrow(code("bad-schema"));
      await client.query("rollback");
    } finally {
      client.release();
    }
  });
});
