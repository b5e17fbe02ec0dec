/** States whose limit or clock has changed, beside those in memory. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Clock } from "../../../src/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";

const PERIOD = 1000;
const KINDS = ["sliding window", "fixed window"] as const;

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 2 });
  await migrate(pool, { unlogged: true });
});
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});

function storesAt(clock: Clock) {
  return [memoryStore({ clock }), postgresStore(pool, { clock, deadline: 20_000 })] as const;
}

test.each(KINDS)("a %s goes on as in memory when its start changes", async (kind) => {
  const clock = manualClock(100 * PERIOD);
  const stores = storesAt(clock);
  const starting = (start: number) =>
    stores.map(
      (store) => new RateLimiter({ [kind]: { kind, rate: 9, period: PERIOD, start } }, { store }),
    );
  const [before, after] = [starting(0), starting(400)];
  for (const limiters of [before, before, after, after, before, after]) {
    const [expected, found] = await Promise.all(
      limiters.map((one) => one.limit(kind, { count: 2 })),
    );
    expect(found).toEqual(expected);
    clock.advance(170);
  }
});

test("a block goes back with the clock as in memory, with nothing used", async () => {
  const clock = manualClock(100 * PERIOD);
  const limits = { it: { kind: "token bucket", rate: 9, period: PERIOD } } as const;
  const limiters = storesAt(clock).map((store) => new RateLimiter(limits, { store }));
  await Promise.all(limiters.map((one) => one.block("it", { for: 10 * PERIOD })));
  // Each step but the last is less than a period, all together are more.
  for (const back of [PERIOD / 2, PERIOD / 2 + 100, 3 * PERIOD]) {
    clock.advance(-back);
    const [expected, found] = await Promise.all(limiters.map((one) => one.check("it")));
    expect(found).toEqual(expected);
  }
});
