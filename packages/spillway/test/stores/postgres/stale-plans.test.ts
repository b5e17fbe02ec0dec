/** Plans that were made while a table was small: they stay for as long as the session, and the table grows. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lease, RateLimiter } from "../../../src/limiter/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";

const CAPACITY = 3000;
const LIMITS = {
  bucket: { kind: "token bucket", rate: 5, period: "1h" },
  window: { kind: "fixed window", rate: 1000, period: "1h", start: 0 },
  log: { kind: "sliding log", rate: CAPACITY, period: "1h" },
  jobs: { kind: "concurrency", capacity: CAPACITY, ttl: "1h" },
} as const;

/** Rows of others, in each table: some thousand blocks of 8 kB. */
const OTHERS = 100_000;
/** Blocks that a budget may cost, and a call beside them: some levels of two indexes, and versions of a row. */
const A_BUDGET = 30;
const A_CALL = 100;
/** Entries that a call may move out of a row, depending on the clock, some 30, cost no more than so many budgets. */
const MOVED = 12;
const ATTEMPTS = 3;
/** From the sixth time on, a plan that is not made to be for any parameters may be so. */
const ROUNDS = 6;

let server: PostgresServer;
beforeAll(async () => {
  // What is analyzed is planned anew.
  server = await startPostgres({ settings: { autovacuum: "off" } });
});
afterAll(() => server[Symbol.asyncDispose]());

const ROWS = `insert into spillway.budgets
  select prefix || n, '', 0, 0, 0, 0, 0, fresh from generate_series(1, amount) as n`;
const LISTS = `insert into spillway.entries
  select gen_random_uuid(), n, 9e12 + n, 1 from generate_series(1, amount) as n`;

/** What the tables have when they are analyzed, before any plan is made. */
const STATISTICS = {
  "nothing was analyzed": "select",
  "empty tables were analyzed": "analyze",
  "tables of few rows were analyzed": `${filled(ROWS, 5)}; ${filled(LISTS, 5)}; analyze`,
  "lists of one entry were analyzed": `${filled(LISTS, 1000)}; analyze`,
};

function filled(insert: string, amount: number): string {
  const rows = insert.replace("amount", `${amount}`).replace("prefix", "'~'");
  return rows.replace("fresh", "9e15");
}

describe.each(Object.entries(STATISTICS))("while %s", (_, prepare) => {
  let pool: pg.Pool;
  let limiter: RateLimiter<typeof LIMITS, "later">;
  /** In a session that only looks: plans are made by what a session calls first. */
  let looks: pg.Pool;
  let looker: RateLimiter<typeof LIMITS, "later">;
  let leases: Lease<"later">[];
  const read = new Blocks();

  beforeAll(async () => {
    [pool, looks] = [newPool(), newPool()];
    await pool.query("drop schema if exists spillway cascade");
    await migrate(pool);
    await pool.query(prepare);
    [limiter, looker] = [limiterOn(pool), limiterOn(looks)];
    leases = await acquired(400);
    await logged(200);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [, work] of calls) await work();
    }
    await pool.query(filled(ROWS, OTHERS).replace("'~'", "'other '"));
    await pool.query(filled(LISTS, OTHERS));
    leases.push(...(await acquired(CAPACITY - 800)));
    await logged(CAPACITY / 2);
  });
  afterAll(async () => {
    await Promise.all([pool.end(), looks.end()]);
  });

  function newPool(): pg.Pool {
    const pool = new pg.Pool({ connectionString: server.url, max: 1 });
    read.watch(pool);
    return pool;
  }

  const limiterOn = (its: pg.Pool) =>
    new RateLimiter(LIMITS, { store: postgresStore(its, { deadline: 60_000 }) });

  const acquired = (amount: number) =>
    Promise.all(Array.from({ length: amount }, () => limiter.acquire("jobs", { key: "k" })));

  /** Entries of their own, which the clock alone makes. */
  async function logged(amount: number): Promise<void> {
    for (let n = 0; n < amount; n++) await limiter.limit("log", { key: "k" });
  }

  const keys = Array.from({ length: 32 }, (_, n) => `k${n}`);

  /** Calls, and the budgets that they name. */
  const calls: readonly (readonly [string, () => unknown, number])[] = [
    ["a bucket", () => limiter.limit("bucket", { key: "k" }), 1],
    ["32 buckets", () => Promise.all(keys.map((key) => limiter.limit("bucket", { key }))), 32],
    ["a window", () => limiter.limit("window", { key: "k" }), 1],
    ["32 windows", () => Promise.all(keys.map((key) => limiter.limit("window", { key }))), 32],
    ["a value", () => limiter.value("window", { key: "k" }), 1],
    ["32 values", () => Promise.all(keys.map((key) => limiter.value("window", { key }))), 32],
    ["a log", () => limiter.limit("log", { key: "k" }), MOVED],
    ["a refusal by a log", () => limiter.limit("log", { key: "k", count: CAPACITY }), 1],
    ["a settlement", () => limiter.settle("log", { key: "k", reserved: 9, used: 0 }), 1],
    ["the value of a log", () => limiter.value("log", { key: "k" }), 1],
    ["a lease", async () => void leases.push(await limiter.acquire("jobs", { key: "k" })), MOVED],
    ["a refusal of leases", () => limiter.acquire("jobs", { key: "k", count: CAPACITY - 100 }), 1],
    ["a renewal of an old lease", () => leases[50]?.renew(), 1],
    ["a release of an old lease", () => leases.shift()?.release(), 1],
    ["a release of a new lease", () => leases.pop()?.release(), 1],
    ["releases", () => Promise.all(leases.splice(20, 20).map((one) => one.release())), 20],
    ["the value of leases", () => limiter.value("jobs", { key: "k" }), 1],
    ["a first look", () => looker.value("window", { key: "k" }), 1],
    ["32 looks", () => Promise.all(keys.map((key) => looker.value("window", { key }))), 32],
    ["a look at a log", () => looker.value("log", { key: "k" }), 1],
    ["a look at leases", () => looker.value("jobs", { key: "k" }), 1],
    ["an override", () => limiter.override("bucket", { key: "k", rate: 9, for: "1m" }), 1],
    ["its end", () => limiter.endOverride("bucket", { key: "k" }), 1],
    ["a reset", () => limiter.reset("window", { key: "k" }), 1],
    ["in a transaction", () => within(), 6],
    ["a sweep", () => asked("select spillway.v4_sweep('', 200, null)"), 1],
    ["a sweep of a list", () => sweptList(), 1],
    ["which are locked", () => asked("select spillway.v4_locked($1)", [keys]), 32],
  ];

  async function within(): Promise<void> {
    const client = await pool.connect();
    await client.query("begin");
    const inside = limiter.within(client);
    await inside.limit("bucket", { key: "k" });
    await inside.limitAll([
      { limit: "bucket", key: "a" },
      { limit: "window", key: "b" },
    ]);
    await inside.value("window", { key: "k" });
    const lease = await inside.acquire("jobs", { key: "k" });
    await lease.release();
    await client.query("rollback");
    client.release();
  }

  /** Sweeps a row with rows of its own in the other table. */
  async function sweptList(): Promise<void> {
    await pool.query(`with list as (insert into spillway.entries values (gen_random_uuid(), 1, 1, 1) returning list)
      insert into spillway.budgets select '!', '', 0, 0, 0, 0, 0, 0, null, null, row(list, 0, 0, null)::spillway.older from list`);
    await asked("select spillway.v4_sweep('', 200, null)");
  }

  async function asked(text: string, values: unknown[] = []): Promise<void> {
    const client = await pool.connect();
    await client.query({ text, values });
    client.release();
  }

  test.each(calls.map(([name, , budgets], index) => [name, { budgets, index }] as const))(
    "no more is read than for a small table: %s",
    async (_, { budgets, index }) => {
      read.most = 0;
      await calls[index]?.[1]();
      const { most } = read;
      read.most = undefined;
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan(A_CALL + budgets * A_BUDGET);
    },
  );
});

type Query = { readonly text: string; readonly values?: unknown[] };
type Explained = { readonly Plan: Readonly<Record<string, number>> };

/** Counts the blocks that statements read, whatever they call: each is tried before it is carried out. */
class Blocks {
  /** The most that one statement has read; undefined while none is counted. */
  most: number | undefined;

  watch(pool: pg.Pool): void {
    pool.on("connect", (client) => {
      const { query } = client;
      const tried = async (...all: Parameters<typeof query>) => {
        const [asked] = all as unknown as [Query | string];
        const isCounted = this.most !== undefined && typeof asked !== "string";
        if (isCounted && asked.text.includes("v4_")) {
          await this.#tryOut(asked, query.bind(client), client.getTransactionStatus() === "T");
        }
        return query.apply(client, all);
      };
      Object.assign(client, { query: tried });
    });
  }

  /** The least of some attempts: the first one in a session reads catalogs too. */
  async #tryOut(asked: Query, query: pg.Client["query"], isOpen: boolean) {
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await query(isOpen ? "savepoint tried" : "begin");
      least = Math.min(least, await blocksOf(asked, query));
      await query(isOpen ? "rollback to savepoint tried" : "rollback");
    }
    this.most = Math.max(this.most ?? 0, least);
  }
}

async function blocksOf({ text, values = [] }: Query, query: pg.Client["query"]): Promise<number> {
  const { rows } = await query(`explain (analyze, buffers, format json) ${text}`, values);
  const [{ Plan }] = rows[0]["QUERY PLAN"] as [Explained];
  return (Plan["Shared Hit Blocks"] ?? 0) + (Plan["Shared Read Blocks"] ?? 0);
}
