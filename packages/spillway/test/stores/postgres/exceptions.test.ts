/** The register in Postgres: its laws, its table, and transactions of the caller. */
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { RateLimiter } from "../../../src/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { LIMITS, listsWhatIsInForce, pagesThroughWhatStays } from "../../laws/exceptions-world.ts";
import { runs } from "../../runs.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";

const deadline = 20_000;
const key = "k";

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 4 });
  await migrate(pool);
});
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});

const emptied = () =>
  pool.query("truncate spillway.budgets, spillway.entries, spillway.exceptions");
beforeEach(emptied);

const limiterBy = (clock?: () => number) =>
  new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline, ...(clock && { clock }) }) });

async function open(clock: () => number) {
  await emptied();
  return limiterBy(clock);
}

test("exceptions are listed while they are in force", async () => {
  await fc.assert(listsWhatIsInForce(open, manualClock), { numRuns: runs(20) });
});

test("exceptions are on one page each, if they stay", async () => {
  await fc.assert(pagesThroughWhatStays(open, manualClock), { numRuns: runs(20) });
});

test.each(["commit", "rollback"])("an entry is a part of a transaction: %s", async (end) => {
  const limiter = limiterBy();
  await limiter.block("login", { key, for: "1h", reason: "before" });
  const client = await pool.connect();
  try {
    await client.query("begin");
    const inside = limiter.within(client);
    await inside.override("api", { key, rate: 20, reason: "in it" });
    await inside.unblock("login", { key });
    expect((await inside.exceptions()).exceptions).toMatchObject([{ reason: "in it" }]);
    expect((await limiter.exceptions()).exceptions).toMatchObject([{ reason: "before" }]);
    await client.query(end);
  } finally {
    client.release();
  }
  const reason = end === "commit" ? "in it" : "before";
  expect((await limiter.exceptions()).exceptions).toMatchObject([{ reason }]);
  const { rows } = await pool.query("select reason from spillway.exceptions");
  expect(rows).toEqual([{ reason }]);
});

test("nothing is registered in a transaction other than the one that was meant", async () => {
  const limiter = limiterBy();
  const client = await pool.connect();
  try {
    await client.query("begin");
    const inside = limiter.within(client);
    await inside.block("api", { key, for: "1h" });
    await client.query("commit");
    await client.query("begin");
    const lost = { code: "bad-transaction" };
    await expect(inside.block("api", { key: "other", for: "1h" })).rejects.toMatchObject(lost);
    await expect(inside.exceptions()).rejects.toMatchObject(lost);
    await expect(inside.unblock("api", { key })).rejects.toMatchObject(lost);
    await client.query("commit");
  } finally {
    client.release();
  }
  expect((await limiter.exceptions()).exceptions).toMatchObject([{ key }]);
});

test("a call waits for a transaction with the same entry no longer than for a row", async () => {
  const limiter = new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline: 500 }) });
  await limiter.block("api", { key, for: "1h" });
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("update spillway.exceptions set reason = 'held'");
    const blocked = limiter.block("api", { key, for: "2h" });
    await expect(blocked).rejects.toMatchObject({ code: "unavailable" });
    await expect(blocked).rejects.toThrow(/lock timeout/);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("migrate adds the table where its version is installed already", async () => {
  await pool.query("drop table spillway.exceptions");
  const limiter = limiterBy();
  const blocked = limiter.block("api", { key, for: "1h" });
  await expect(blocked).rejects.toMatchObject({ code: "bad-schema" });
  // Who has to block somebody now is told, and is obeyed.
  expect((await limiter.value("api", { key })).blockedFor).toBeGreaterThan(0);
  await migrate(pool);
  await migrate(pool);
  await limiter.block("api", { key, for: "1h" });
  expect((await limiter.exceptions()).exceptions).toHaveLength(1);
});
