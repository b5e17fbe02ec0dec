/** What is asked here faster than it can be sent waits here: it is no failure of the store. */
import pg from "pg";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { migrate, postgresStore, type StoreEvent } from "../../../src/stores/postgres/index.ts";
import { startPostgres } from "../../servers/postgres/start.ts";

test("20 000 keys asked for in one turn are sent as connections are there for them", async () => {
  await using server = await startPostgres();
  const max = 10;
  const pool = new pg.Pool({ connectionString: server.url, max });
  await migrate(pool);
  const events: StoreEvent[] = [];
  // No answer is late here, however busy the machine.
  const store = postgresStore(pool, { deadline: 30_000, onEvent: (event) => events.push(event) });
  const limits = { orders: { kind: "token bucket", rate: 5, period: "366d" } } as const;
  const limiter = new RateLimiter(limits, { store });
  let waiting = 0;
  pool.on("acquire", () => {
    waiting = Math.max(waiting, pool.waitingCount);
  });
  const asks = Array.from({ length: 20_000 }, (_, n) => limiter.limit("orders", { key: `${n}` }));
  const decisions = await Promise.all(asks);
  expect(events).toEqual([]);
  expect(decisions.every(({ ok, remaining }) => ok && remaining === 4)).toBe(true);
  expect(waiting).toBeLessThanOrEqual(max);
  await pool.end();
});
