/** A lease that was taken in a transaction is held when that commits, and is given back after it. */
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { type Lease, RateLimiter } from "../../../src/limiter/index.ts";
import type { Timing } from "../../../src/limits/core/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { startPostgres } from "../../servers/postgres/start.ts";

const SHARED = { kind: "concurrency", capacity: 2, ttl: "1h", share: "10s" } as const;
const LIMITS = { reports: { kind: "concurrency", capacity: 1, ttl: "1h" } } as const;

/** Acquires in a transaction that then ends as it is told. */
type Acquire = (end: "commit" | "rollback") => Promise<Lease<Timing>>;

async function expectLeases(limiter: RateLimiter<typeof LIMITS, Timing>, acquire: Acquire) {
  const gone = await acquire("rollback");
  expect(gone.ok).toBe(true);
  expect(await limiter.value("reports")).toMatchObject({ remaining: 1 });
  expect(await gone.release()).toBe(false);
  const lease = await acquire("commit");
  expect(await limiter.acquire("reports")).toMatchObject({ ok: false });
  const waiting = limiter.acquire("reports", { wait: "1m" });
  expect(await lease.renew()).toBe(true);
  expect(await lease.release()).toBe(true);
  await using next = await waiting;
  expect(next.ok).toBe(true);
}

test("what is taken in a transaction is counted with places that are kept outside, and no reset forgets those", async () => {
  const database = new DatabaseSync(":memory:");
  const limiter = new RateLimiter({ reports: SHARED }, { store: sqliteStore(database) });
  const outside = limiter.acquire("reports");
  database.exec("begin");
  const inside = limiter.within(database).acquire("reports");
  limiter.within(database).reset("reports");
  database.exec("commit");
  expect(limiter.value("reports")).toMatchObject({ remaining: 0 });
  // The store keeps both for the ttl and the share.
  for (const { resetAfter } of [inside, outside]) expect(resetAfter).toBeGreaterThan(3_610_000);
  expect(outside.renew()).toBe(true);
  expect(inside.renew()).toBe(true);
  expect(inside.release()).toBe(true);
  expect(outside.release()).toBe(true);
  limiter.giveBack();
  expect(limiter.value("reports")).toMatchObject({ remaining: 2 });
  database.close();
});

describe("a lease that was taken in a transaction is given back after it", () => {
  test("in SQLite", async () => {
    const database = new DatabaseSync(":memory:");
    const limiter = new RateLimiter(LIMITS, { store: sqliteStore(database) });
    await expectLeases(limiter, async (end) => {
      database.exec("begin");
      const lease = limiter.within(database).acquire("reports");
      database.exec(end);
      return lease;
    });
    database.close();
  });

  test("in Postgres", async () => {
    await using server = await startPostgres();
    const pool = new pg.Pool({ connectionString: server.url });
    await migrate(pool);
    const limiter = new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline: 20_000 }) });
    await expectLeases(limiter, async (end) => {
      const client = await pool.connect();
      await client.query("begin");
      const lease = await limiter.within(client).acquire("reports");
      await client.query(end);
      client.release();
      return lease;
    });
    await pool.end();
  });
});
