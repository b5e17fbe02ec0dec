/** What strangers choose, such as counts, never has a server read more than a few rows of a long list. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { DAY, MOST_UNITS } from "../../../src/limits/core/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";

const ENTRIES = 2000;
const LIMITS = {
  log: { kind: "sliding log", rate: ENTRIES, period: DAY },
  lent: { kind: "concurrency", capacity: ENTRIES, ttl: DAY },
} as const;
/**
 * However many entries there are. A lease of half of all units is the exception: there the leases that
 * are nearer to one end are added up.
 */
const MOST_ROWS = 200;
const clock = manualClock();

let server: PostgresServer;
let pool: pg.Pool;
let limiter: RateLimiter<typeof LIMITS, "later">;

beforeAll(async () => {
  server = await startPostgres();
  // One connection, which has counted all that it did when it is asked.
  pool = new pg.Pool({ connectionString: server.url, max: 1 });
  await migrate(pool, { unlogged: true });
  limiter = new RateLimiter(LIMITS, { store: postgresStore(pool, { clock, deadline: 60_000 }) });
  for (let taken = 0; taken < ENTRIES; taken += 100) {
    clock.advance(1);
    await Promise.all(Array.from({ length: 100 }, () => limiter.acquire("lent")));
    for (let each = 0; each < 100; each++) {
      clock.advance(1);
      await limiter.limit("log");
    }
  }
  await pool.query("analyze");
});
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});

/** Rows of long lists that the server has read so far. */
async function rowsRead(): Promise<number> {
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
    from pg_stat_user_tables where schemaname = 'spillway' and relname = 'entries'`,
  );
  return rows[0].read;
}

const counts = [0, 1, 2, ENTRIES / 2, ENTRIES, ENTRIES + 1, MOST_UNITS];
const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
  ...counts.flatMap((count): typeof calls => [
    [`limit of a log, count ${count}`, () => limiter.limit("log", { count })],
    [`check of a log, count ${count}`, () => limiter.check("log", { count })],
    [
      `settle of a log, ${count} and back`,
      async () => {
        await limiter.settle("log", { reserved: 0, used: Math.min(count, 1) });
        await limiter.settle("log", { reserved: count, used: Math.max(0, count - 1) });
      },
    ],
  ]),
  ...counts
    .filter((count) => count !== ENTRIES / 2)
    .map((count): (typeof calls)[0] => [
      `acquire refused, count ${count}`,
      () => limiter.acquire("lent", { count }),
    ]),
  ["value of a log", () => limiter.value("log")],
  ["value of leases", () => limiter.value("lent")],
];

test.each(calls)("%s", async (_, call) => {
  const before = await rowsRead();
  await call();
  expect((await rowsRead()) - before).toBeLessThanOrEqual(MOST_ROWS);
});
