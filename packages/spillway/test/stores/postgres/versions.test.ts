/** Programs of two versions on one table, as in a rolling deploy. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { migration, postgresStore } from "../../../src/stores/postgres/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";

const LIMITS = { quota: { kind: "fixed window", rate: 10, period: "366d", start: 0 } } as const;

const OLDER = migration();
/** What a next version installs, if it changes nothing but its number. */
const NEWER = atNext(OLDER)
  .replace("where version = 1)", "where version = 2)")
  .replace("(version) values (1)", "(version) values (2)");

let server: PostgresServer;
let pool: pg.Pool;
/** Of a program of the next version. */
let next: pg.Pool;

function atNext(sql: string): string {
  return sql.replaceAll("v1_", "v2_");
}

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 2 });
  next = new pg.Pool({ connectionString: server.url, max: 2 });
  next.on("connect", (client) => {
    const { query } = client;
    const rewritten = (statement: unknown, ...rest: unknown[]) => {
      const { text, name, ...values } = statement as { text: string; name: string };
      const all = [{ text: atNext(text), name: atNext(name), ...values }, ...rest];
      return query.apply(client, all as unknown as Parameters<typeof query>);
    };
    Object.assign(client, { query: rewritten });
  });
});
beforeEach(() => pool.query("drop schema if exists spillway cascade"));
afterAll(async () => {
  await Promise.all([pool.end(), next.end()]);
  await server[Symbol.asyncDispose]();
});

const limiterOn = (its: pg.Pool) =>
  new RateLimiter(LIMITS, { store: postgresStore(its, { deadline: 20_000 }) });

async function versions(): Promise<unknown> {
  const { rows } = await pool.query("select version from spillway.migrations order by version");
  return rows.map(({ version }) => version);
}

/** Everything that is installed, as it is: what is made anew gets another number. */
async function installed(): Promise<unknown> {
  const { rows } = await pool.query(
    "select oid, proname from pg_proc where pronamespace = 'spillway'::regnamespace order by oid",
  );
  return rows;
}

test.each([
  ["the older version first", OLDER, NEWER],
  ["the newer version first", NEWER, OLDER],
])("programs of both versions share what keys have used: %s", async (_, first, second) => {
  await pool.query(first);
  const early = limiterOn(first === OLDER ? pool : next);
  expect(await early.limit("quota", { count: 3 })).toMatchObject({ ok: true, remaining: 7 });
  await pool.query(second);
  const late = limiterOn(second === OLDER ? pool : next);
  expect(await late.limit("quota", { count: 3 })).toMatchObject({ ok: true, remaining: 4 });
  expect(await early.limit("quota", { count: 3 })).toMatchObject({ ok: true, remaining: 1 });
  expect(await late.limit("quota", { count: 3 })).toMatchObject({ ok: false, remaining: 1 });
  expect(await versions()).toEqual([1, 2]);
});

test("a version that is installed is left as it is", async () => {
  await pool.query(OLDER);
  await pool.query(NEWER);
  const before = await installed();
  for (const script of [OLDER, NEWER]) await pool.query(script);
  expect(await installed()).toEqual(before);
});

test("all functions of a version have its number in their names", async () => {
  await pool.query(OLDER);
  const { rows } = await pool.query(
    "select proname from pg_proc where pronamespace = 'spillway'::regnamespace and proname !~ '^v1_'",
  );
  expect(rows).toEqual([]);
});
