/** Strangers who may create in a schema that others search: nothing of theirs is run. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import pg from "pg";
import PgBoss from "pg-boss";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Deferred, jobId, pgBossQueue } from "../../../src/deferred/index.ts";
import { bossDb, lock, nowOf } from "../../../src/deferred/queues/pg-boss/db.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { adaptTransaction, connect } from "../../../src/stores/postgres/clients/index.ts";
import { migrate, migration, postgresStore } from "../../../src/stores/postgres/index.ts";
import { query } from "../../servers/postgres/query.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { overload, shadowAll, sprung } from "../../servers/postgres/strangers.ts";
import { until } from "../../servers/until.ts";

const LIMITS = {
  calls: { kind: "token bucket", rate: 5, period: "1h" },
  window: { kind: "sliding window", rate: 500, period: "1h" },
  log: { kind: "sliding log", rate: 500, period: "1h" },
  jobs: { kind: "concurrency", capacity: 300, ttl: "1h" },
  shared: { kind: "token bucket", rate: 500, period: "1h", share: "10s" },
  line: { kind: "leaky bucket", rate: 1, period: "1s", capacity: 5 },
} as const;
const key = "k";

/** What pg-boss says, among other text. */
const PG_BOSS = readFileSync(
  createRequire(import.meta.resolve("pg-boss")).resolve("./plans.js"),
  "utf8",
).replace(/[^\w\s()*+/<>=|-]/g, " ");

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  await query(server, "create role shop login");
  for (const name of ["shadowed", "overloaded"]) {
    await query(server, `create database ${name}`);
    await query(server, `grant create on database ${name} to shop`);
  }
});
afterAll(() => server[Symbol.asyncDispose]());

/** A database of its own for each of what strangers may do; `role` is who migrates and asks. */
const urlOf = (database: string, role = "shop") =>
  server.url.replace(/\/\/[^/]*@/, `//${role}@`).replace(/[^/]*$/, database);

/** What is asked of the server, with the names that it uses. */
const sent = new Set<string>();

function poolOf(database: string, path?: string): pg.Pool {
  const options = path === undefined ? undefined : `-c search_path=${path}`;
  const pool = new pg.Pool({ connectionString: urlOf(database), max: 4, options });
  pool.on("connect", (client) => {
    const { query } = client;
    const noted = (...all: Parameters<typeof query>) => {
      const [asked] = all as unknown as [string | { readonly text: string }];
      sent.add(typeof asked === "string" ? asked : asked.text);
      return query.apply(client, all);
    };
    Object.assign(client, { query: noted });
  });
  return pool;
}

/** Calls of each function that there is for calls. */
async function askAll(pool: pg.Pool): Promise<void> {
  const events: unknown[] = [];
  const onEvent = (event: { readonly type: string }) =>
    event.type === "failed" && events.push(event);
  const store = postgresStore(pool, { deadline: 20_000, onEvent });
  const limiter = new RateLimiter(LIMITS, { store });
  const keys = Array.from({ length: 120 }, (_, n) => `${n}`);
  await Promise.all(keys.map((key) => limiter.limit("calls", { key })));
  await Promise.all(keys.map((key) => limiter.limit("window", { key })));
  const leases = await Promise.all(keys.map(() => limiter.acquire("jobs", { key })));
  expect(leases.every(({ ok }) => ok)).toBe(true);
  expect(await limiter.acquire("jobs", { key, count: 250 })).toMatchObject({ reason: "limited" });
  expect(await leases[3]?.renew()).toBe(true);
  expect(await leases[5]?.release()).toBe(true);
  for (const _ of keys) await limiter.limit("log", { key });
  await limiter.settle("log", { key, reserved: 5, used: 1 });
  expect(await limiter.limit("log", { key, count: 450 })).toMatchObject({ reason: "limited" });
  for (let n = 0; n < 5; n++) expect((await limiter.limit("shared", { key })).ok).toBe(true);
  await limiter.block("calls", { key, for: "1m" });
  expect((await limiter.exceptions()).exceptions).toMatchObject([{ key, type: "block" }]);
  await limiter.unblock("calls", { key });
  await limiter.reset("calls", { key });
  await limiter.override("calls", { key, rate: 20, for: "1m" });
  expect(await limiter.limit("calls", { key })).toMatchObject({ ok: true, overridden: true });
  await limiter.endOverride("calls", { key });
  await limiter.giveBack();
  await inTransaction(pool, limiter);
  await whileLocked(pool, limiter);
  expect(events).toEqual([]);
}

async function inTransaction(pool: pg.Pool, limiter: RateLimiter<typeof LIMITS, "later">) {
  const lease = await transact(pool, async (client) => {
    const inside = limiter.within(client);
    await inside.limit("calls", { key });
    await inside.value("calls", { key });
    await inside.block("calls", { key: "bad", for: "1m", reason: "scraping" });
    expect((await inside.exceptions()).exceptions).toMatchObject([{ reason: "scraping" }]);
    await inside.unblock("calls", { key: "bad" });
    const lease = await inside.acquire("jobs", { key });
    expect(await lease.renew()).toBe(true);
    return lease;
  });
  // On the connection that had the transaction: whether that is over is asked on another one.
  expect(await transact(pool, () => lease.release())).toBe(true);
  expect([...sent].join()).toContain("pg_xact_status");
}

/** Where several are asked for, it is looked up which of them are locked. */
async function whileLocked(pool: pg.Pool, limiter: RateLimiter<typeof LIMITS, "later">) {
  await transact(pool, async (client) => {
    await limiter.within(client).limit("calls", { key: "1" });
    const both = ["1", "2"].map((key) => limiter.value("calls", { key }));
    expect((await Promise.all(both)).map(({ remaining }) => remaining)).toEqual([4, 4]);
  });
  await connect(pool).run(
    { name: "locked", text: "select spillway.v4_locked('{a,b}')", values: [] },
    () => false,
  );
}

/** What the queue of pg-boss says beside what pg-boss says. */
async function askQueue(pool: pg.Pool): Promise<void> {
  const connection = connect(pool, { prepare: false });
  expect(await nowOf(connection)).toBeGreaterThan(1e12);
  await transact(pool, async (client) => {
    const inside = adaptTransaction(client, { prepare: false });
    await lock(inside, "a job");
    const { executeSql } = bossDb(inside);
    const rows = await executeSql("select $1 as one, $2 as two", ["x", { y: 1 }]);
    expect(rows).toEqual({ rows: [{ one: "x", two: '{"y":1}' }] });
    const counted = "with results as (select $1) select count(*) from results";
    expect(await executeSql(counted, ["x"])).toEqual({ rows: [{ count: 1 }] });
  });
}

/** Commits; where the work fails the connection is closed, so that nobody waits for it. */
async function transact<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>) {
  const client = await pool.connect();
  let isCommitted = false;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    isCommitted = true;
    return result;
  } finally {
    client.release(!isCommitted);
  }
}

describe("with a stranger's copy of all that Postgres has, found before it", () => {
  const path = "public,pg_catalog";
  let pool: pg.Pool;

  beforeAll(async () => {
    const { functions, operators, types } = await shadowAll({ url: urlOf("shadowed", "postgres") });
    expect(functions).toBeGreaterThan(2000);
    expect(operators).toBeGreaterThan(500);
    expect(types).toBeGreaterThan(50);
    pool = poolOf("shadowed", path);
    await migrate(pool);
  });
  afterAll(async () => {
    await pool.end();
    expect(sprung(server)).toEqual([]);
  });

  test("no call runs any of it", () => askAll(pool));

  test("the queue of pg-boss runs none of it", () => askQueue(pool));

  test("what the queue does in transactions of its own runs none of it", async () => {
    await using used = new AsyncDisposableStack();
    // What pg-boss says on connections of its own is its own matter.
    const boss = new PgBoss({
      connectionString: `${urlOf("shadowed")}?options=-c%20search_path%3Dpg_catalog`,
      supervise: false,
      schedule: false,
    });
    await boss.start();
    used.defer(() => boss.stop({ graceful: false, wait: true }));
    await boss.createQueue("line");
    const limiter = new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline: 20_000 }) });
    const queue = pgBossQueue(boss, { name: "line", pool, poll: 20 });
    const work = new Deferred({ limiter, limit: "line", queue });
    const started: unknown[] = [];
    const worker = work.work(({ data }) => void started.push(data));
    used.defer(() => worker.close());
    for (const data of ["first", "other"]) {
      expect((await work.submit(data, { key })).ok).toBe(true);
      await until(() => started.length > 0, { what: "the first has started" });
      // The line forgets it, and the gate, which does not, has the job go back to the queue.
      await limiter.reset("line", { key });
    }
    await until(() => started.includes("other"), { what: "the other one has started" });
    await worker.close();
    const id = jobId(key);
    await work.submit("cancelled", { key, id });
    expect(await work.cancel(id)).toMatchObject({ state: "cancelled" });
  });

  test("every function that is called from outside keeps to what Postgres has", async () => {
    const called = [...sent].flatMap((text) => /^select \S*\.(v4_\w+)\(/.exec(text)?.[1] ?? []);
    const takes = ["take_from_buckets", "take_present"];
    const all = ["execute", "locked", "override", "peek", "sweep", ...takes].map(
      (name) => `v4_${name}`,
    );
    expect([...new Set(called)].sort()).toEqual(all);
    const text = `select proname from pg_proc where pronamespace = 'spillway'::regnamespace
      and 'search_path=pg_catalog, pg_temp' = any (proconfig) order by proname`;
    const rows = await query<{ proname: string }>({ url: urlOf("shadowed", "postgres") }, text);
    expect(rows.map(({ proname }) => proname)).toEqual(all);
  });
});

describe("with a stranger's overloads that fit better than what Postgres has", () => {
  let pool: pg.Pool;

  beforeAll(async () => {
    const { functions, operators } = await overload({ url: urlOf("overloaded", "postgres") }, [
      migration(),
      ...sent,
      PG_BOSS,
    ]);
    expect(functions).toBeGreaterThan(500);
    expect(operators).toBeGreaterThan(200);
    pool = poolOf("overloaded");
  });
  afterAll(() => pool.end());

  test("none of them is run", async () => {
    const before = sprung(server);
    await migrate(pool);
    await askAll(pool);
    await askQueue(pool);
    expect(sprung(server)).toEqual(before);
  });

  test("nor by pg-boss, on a path and in a transaction that find Postgres' own first", async () => {
    const before = sprung(server);
    const connectionString = urlOf("overloaded");
    const path = "options=-c%20search_path%3Dpg_catalog";
    const settings = { supervise: false, schedule: false };
    const boss = new PgBoss({ connectionString: `${connectionString}?${path}`, ...settings });
    const careless = new PgBoss({ connectionString, ...settings });
    careless.on("error", () => {});
    await boss.start();
    await boss.createQueue("line");
    const limiter = new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline: 20_000 }) });
    const workOn = (boss: PgBoss) => {
      const queue = pgBossQueue(boss, { name: "line", pool, poll: 20 });
      return new Deferred({ limiter, limit: "line", queue });
    };
    const work = workOn(boss);
    const client = await pool.connect();
    await client.query("begin; set local search_path = pg_catalog");
    expect((await work.within(client).submit("inside", { key })).ok).toBe(true);
    await client.query("commit");
    client.release();
    expect((await work.submit("outside", { key })).ok).toBe(true);
    const started: unknown[] = [];
    const worker = work.work(({ data }) => void started.push(data));
    await until(() => started.length === 2, { what: "both have started" });
    await worker.close();
    await boss.stop({ graceful: false, wait: true });
    expect(sprung(server)).toEqual(before);
    // Without that path it does.
    await careless.start();
    await expect(workOn(careless).submit("", { key })).rejects.toThrow("made by a stranger");
    await careless.stop({ graceful: false, wait: true });
  });

  test("names without a schema do run them", async () => {
    for (const expression of [
      "pg_advisory_xact_lock(1)",
      "hashtextextended('a'::text, 0)",
      "1::numeric * 2",
      "to_regclass('a'::varchar)",
    ]) {
      await expect(pool.query(`select ${expression}`)).rejects.toThrow("made by a stranger");
    }
  });
});
