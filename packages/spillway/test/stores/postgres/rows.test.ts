/** Rows that somebody else removes, holds, or may not touch. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Limit } from "../../../src/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { migrate, postgresStore, type StoreEvent } from "../../../src/stores/postgres/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { until } from "../../servers/until.ts";

const LIMITS = {
  brief: { kind: "token bucket", rate: 1, period: 1 },
  quota: { kind: "token bucket", rate: 3, period: "1d" },
} as const;

let server: PostgresServer;
let pool: pg.Pool;
let events: StoreEvent[];
let limiter: RateLimiter<typeof LIMITS, "later">;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 4 });
  await migrate(pool);
  events = [];
  const onEvent = (event: StoreEvent) => void events.push(event);
  limiter = new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline: 2000, onEvent }) });
});
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});

async function begun(how = ""): Promise<pg.PoolClient> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`begin ${how}`);
  return Object.assign(client, { release: () => void client.end() }) as unknown as pg.PoolClient;
}

describe("a row that was swept since a transaction began", () => {
  test.each([
    ["read committed", undefined],
    ["repeatable read", "40001"],
    ["serializable", "40001"],
  ])("is not seen beside the one made in its place: %s", async (level, code) => {
    const key = level;
    await limiter.limit("quota", { key, count: 3 });
    await limiter.limit("brief", { key });
    const client = await begun(`isolation level ${level}`);
    await client.query("select from spillway.budgets");
    const gone = async () => {
      await pool.query("select spillway.v4_sweep('', 1000, null)");
      const { rows } = await pool.query("select from spillway.budgets where id like '5:brief%'");
      return rows.length === 0;
    };
    await until(gone, { what: "the brief row is swept" });
    const both = [
      { limit: "brief", key },
      { limit: "quota", key },
    ] as const;
    const asked = limiter.within(client).limitAll(both);
    if (code === undefined) expect(await asked).toMatchObject({ ok: false, refused: ["quota"] });
    else await expect(asked).rejects.toMatchObject({ code });
    client.release();
  });
});

test("a row stays for as long as any definition of its limit remembers it", async () => {
  const of = (it: Limit) =>
    new RateLimiter({ it }, { store: postgresStore(pool, { deadline: 2000 }) });
  const [slow, fast] = [of({ ...LIMITS.quota, kind: "token bucket" }), of(LIMITS.brief)];
  await slow.limit("it", { count: 3 });
  await fast.limit("it");
  const { rows } = await pool.query(`
    select fresh_at - extract(epoch from now()) * 1000 as left, cardinality(others) as others
    from spillway.budgets where id = '2:it'`);
  expect(rows[0].others).toBe(1);
  expect(Number(rows[0].left)).toBeGreaterThan(80_000_000);
});

describe("a row that another transaction has locked", () => {
  test("keeps nobody waiting who does not want it, and opens no breaker", async () => {
    await limiter.limit("quota", { key: "held" });
    const client = await begun();
    await limiter.within(client).limit("quota", { key: "held" });
    events = [];
    for (let turn = 0; turn < 20; turn++) {
      const wanting = Array.from({ length: 20 }, () => limiter.limit("quota", { key: "held" }));
      const others = ["a", "b", "c"].map((key) =>
        limiter.limit("quota", { key: `${turn}/${key}` }),
      );
      for (const { ok, degraded } of await Promise.all(others)) {
        expect({ ok, degraded }).toEqual({ ok: true, degraded: undefined });
      }
      for (const { ok, reason } of await Promise.all(wanting)) {
        expect({ ok, reason }).toEqual({ ok: false, reason: "unavailable" });
      }
    }
    expect(events.filter(({ type }) => type === "paused")).toEqual([]);
    expect(await limiter.value("quota", { key: "held" })).toMatchObject({ remaining: 2 });
    await client.query("commit");
    client.release();
    const served = async () => (await limiter.value("quota", { key: "held" })).remaining === 1;
    await until(served, { what: "what was taken in the transaction is seen" });
    const again = async () => (await limiter.limit("quota", { key: "held" })).ok;
    await until(again, { what: "the row is asked for again" });
  });

  test("is waited for in another transaction, as long as that lasts", async () => {
    const one = await begun();
    const other = await begun();
    await limiter.within(one).limit("quota", { key: "both", count: 2 });
    const asked = limiter.within(other).limit("quota", { key: "both", count: 2 });
    const waits = async () => {
      const { rows } = await pool.query(
        "select from pg_stat_activity where wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    };
    await until(waits, { what: "one transaction waits for the other" });
    await one.query("commit");
    expect(await asked).toMatchObject({ ok: false, remaining: 1 });
    await other.query("rollback");
    for (const client of [one, other]) client.release();
  });
});

test.each([
  ["one limit", 1],
  ["two limits together", 2],
])("a request that has waited for a row goes by the time after the wait: %s", async (_, limits) => {
  const key = `waits for ${limits}`;
  const all = [
    { limit: "brief", key },
    { limit: "quota", key },
  ] as const;
  const take = (client: pg.PoolClient) => limiter.within(client).limitAll(all.slice(0, limits));
  const since = async (client: pg.Pool | pg.PoolClient): Promise<number> => {
    const { rows } = await client.query("select since from spillway.budgets where id = $1", [
      `5:brief=${key}`,
    ]);
    return rows[0].since;
  };
  const [holder, waiter] = [await begun(), await begun()];
  await limiter.limit("brief", { key });
  await take(holder);
  const asked = take(waiter);
  const waits = async () => {
    const { rows } = await pool.query(
      "select from pg_stat_activity where wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  };
  await until(waits, { what: "one transaction waits for the other" });
  const start = Date.now();
  await until(() => Date.now() > start + 5, { what: "five periods are over" });
  await take(holder);
  const held = await since(holder);
  await holder.query("commit");
  await asked;
  await waiter.query("commit");
  expect(await since(pool)).toBeGreaterThanOrEqual(held);
  for (const client of [holder, waiter]) client.release();
});

test("several asks at once in a transaction: those after one that has failed fail as well", async () => {
  const client = await begun();
  await client.query("set local lock_timeout = 1");
  const holder = await begun();
  await limiter.within(holder).limit("quota", { key: "busy" });
  const within = limiter.within(client);
  const asks = ["busy", "x", "y"].map((key) => within.limit("quota", { key }));
  const outcomes = await Promise.allSettled(asks);
  const codes = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason.code);
  expect(codes).toEqual(["55P03", "bad-transaction", "bad-transaction"]);
  await client.query("rollback");
  await client.query("begin");
  expect(await within.limit("quota", { key: "x" })).toMatchObject({ ok: true });
  await client.query("rollback");
  await holder.query("rollback");
  for (const one of [client, holder]) one.release();
});

test("what is asked before a rollback is rolled back, awaited or not", async () => {
  const client = await begun();
  const asks = Array.from({ length: 5 }, () =>
    limiter.within(client).limit("quota", { key: "lost" }),
  );
  await Promise.all([...asks, client.query("rollback")]);
  expect(await limiter.value("quota", { key: "lost" })).toMatchObject({ remaining: 3 });
  client.release();
});

test("an operator of the same name in the caller's search path is not taken for ours", async () => {
  await pool.query(`
    create function public.foreign_join(bigint, text) returns text language plpgsql as
      'begin raise exception ''somebody else''''s operator''; end';
    create operator public.|| (leftarg = bigint, rightarg = text, function = public.foreign_join)`);
  expect(await limiter.limit("quota", { key: "safe" })).toMatchObject({ ok: true, remaining: 2 });
  expect(await limiter.limit("quota", { key: "safe", count: 3 })).toMatchObject({ ok: false });
  expect(await limiter.value("quota", { key: "safe" })).toMatchObject({ remaining: 2 });
  await pool.query("drop operator public.|| (bigint, text)");
});

test("a role without rights is told which it lacks, once, and as an error in a transaction", async () => {
  await pool.query("create role guest login");
  const url = server.url.replace(/\/\/[^@]*@/, "//guest@");
  const guests = new pg.Pool({ connectionString: url, max: 1 });
  const warnings: string[] = [];
  const store = postgresStore(guests, { deadline: 2000, warn: (text) => void warnings.push(text) });
  const guest = new RateLimiter(LIMITS, { store });
  for (let n = 0; n < 2; n++) {
    expect(await guest.limit("quota")).toMatchObject({ ok: false, reason: "unavailable" });
  }
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("Grant it usage of the schema");
  const client = await guests.connect();
  await client.query("begin");
  await expect(guest.within(client).limit("quota")).rejects.toMatchObject({ code: "no-rights" });
  await client.query("rollback");
  client.release();
  await guests.end();
});
