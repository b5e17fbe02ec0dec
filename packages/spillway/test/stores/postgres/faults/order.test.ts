/** Whoever takes several limits never waits for somebody who waits for them, in whatever order they ask. */
import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RateLimiter } from "../../../../src/limiter/index.ts";
import type { Random } from "../../../../src/limits/core/index.ts";
import { postgresStore, type StoreEvent } from "../../../../src/stores/postgres/index.ts";
import { seededRandom } from "../../../../src/testing/index.ts";
import type { PostgresServer } from "../../../servers/postgres/server.ts";
import { ISOLATIONS, isolated } from "./isolation.ts";
import { migrated } from "./migrated.ts";

/** They rest again at once: rows are swept all the time, and made again. */
const LIMITS = {
  "token bucket": { kind: "token bucket", rate: 1, period: 2, capacity: 3 },
  "fixed window": { kind: "fixed window", rate: 2, period: 3 },
  "sliding log": { kind: "sliding log", rate: 2, period: 2 },
} as const;

type Name = keyof typeof LIMITS;
const NAMES = Object.keys(LIMITS) as Name[];

/** Connections, each with somebody who asks so many times. */
const CONNECTIONS = 20;
const TIMES = 30;
/** Keys there are, and how many somebody asks for together. */
const KEYS = 40;
const TOGETHER = 12;

let server: PostgresServer;

beforeAll(async () => {
  // A deadlock is one at once: it is not to be over before it is noticed.
  server = await migrated({ settings: { deadlock_timeout: "5ms" } });
});
afterAll(() => server[Symbol.asyncDispose]());

test.each(ISOLATIONS)("limits are taken in any order without a deadlock, %s", async (isolation) => {
  const pool = new Pool({ connectionString: isolated(server.url, isolation), max: CONNECTIONS });
  const failures: StoreEvent[] = [];
  const onEvent = (event: StoreEvent) => failures.push(event);
  const all = Array.from({ length: CONNECTIONS }, async (_, seed) => {
    const store = postgresStore(pool, { deadline: 20_000, onEvent });
    const limiter = new RateLimiter(LIMITS, { store });
    const random = seededRandom(seed);
    for (let time = 0; time < TIMES; time++) await askOnce(limiter, random);
  });
  await Promise.all(all);
  await pool.end();
  expect(failures).toEqual([]);
  expect(server.log).not.toContain("deadlock");
});

/** Asks for some budgets in any order, together or each for itself: ways of their own through SQL. */
async function askOnce(limiter: RateLimiter<typeof LIMITS, "later">, random: Random) {
  const keys = new Set(Array.from({ length: TOGETHER }, () => key(random)));
  if (random() < 0.5) {
    await Promise.all([...keys].map((each) => limiter.limit("token bucket", { key: each })));
    return;
  }
  const asks = [...keys].map((each) => ({ limit: pick(NAMES, random), key: each }));
  await Promise.all([
    limiter.limitAll(asks),
    limiter.reset(pick(NAMES, random), { key: key(random) }),
  ]);
}

function key(random: Random): string {
  return `${Math.floor(random() * KEYS)}`;
}

function pick<T>(all: readonly T[], random: Random): T {
  return all[Math.floor(random() * all.length)] as T;
}
