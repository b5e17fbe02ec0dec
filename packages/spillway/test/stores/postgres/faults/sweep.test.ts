/** Rows that say nothing any more go away, and nobody waits for it. */
import { Client, Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../../src/limiter/index.ts";
import {
  type PostgresStoreOptions,
  postgresStore,
  type StoreEvent,
} from "../../../../src/stores/postgres/index.ts";
import { query } from "../../../servers/postgres/query.ts";
import type { PostgresServer } from "../../../servers/postgres/server.ts";
import { migrated } from "./migrated.ts";

const HOUR = 3_600_000;

const LIMITS = {
  /** Fully reset after a millisecond. */
  short: { kind: "token bucket", rate: 1000, period: 1000 },
  /** Not for as long as a test lasts. */
  long: { kind: "token bucket", rate: 1, period: "366d", capacity: 3 },
} as const;

/** Keys that are asked for in one turn, and turns. */
const TOGETHER = 64;
const TURNS = 100;

let server: PostgresServer;
let pool: Pool;

beforeAll(async () => {
  server = await migrated();
  pool = new Pool({ connectionString: server.url });
});
beforeEach(() => pool.query("truncate spillway.budgets"));
afterAll(async () => {
  await pool.end();
  await server.stop();
});

function limiterOn(options: PostgresStoreOptions = {}) {
  return new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline: 20_000, ...options }) });
}

/** Asks for many keys once. */
async function flood(limiter: ReturnType<typeof limiterOn>): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    const keys = Array.from({ length: TOGETHER }, (_, n) => `${turn} ${n}`);
    await Promise.all(keys.map((key) => limiter.limit("short", { key })));
  }
}

async function ids(): Promise<string[]> {
  const rows = await query<{ id: string }>(server, "select id from spillway.budgets");
  return rows.map(({ id }) => id);
}

test("a flood of new keys leaves few rows, and every key in use its own", async () => {
  const limiter = limiterOn();
  const used = Array.from({ length: 50 }, (_, n) => `used ${n}`);
  for (const key of used) await limiter.limit("long", { key, count: 3 });
  await limiter.block("short", { key: "blocked", for: HOUR });
  await flood(limiter);
  expect((await ids()).length).toBeLessThan((TURNS * TOGETHER) / 4);
  for (const key of used) {
    expect(await limiter.check("long", { key })).toMatchObject({ ok: false, reason: "limited" });
  }
  const blocked = { ok: false, reason: "blocked" };
  expect(await limiter.check("short", { key: "blocked" })).toMatchObject(blocked);
});

describe("with somebody who holds a row for long", () => {
  let somebody: Client;

  beforeEach(async () => {
    somebody = new Client({ connectionString: server.url });
    await somebody.connect();
    await somebody.query("begin");
  });
  afterEach(() => somebody.end());

  test("sweeping does not wait", async () => {
    const limiter = limiterOn();
    await limiter.limit("short", { key: "held" });
    const held = "select id from spillway.budgets for update";
    const [row] = (await somebody.query<{ id: string }>(held)).rows;
    await flood(limiter);
    const left = await ids();
    expect(left).toContain(row?.id);
    expect(left.length).toBeLessThan((TURNS * TOGETHER) / 4);
  });

  test("who asks for a key in use does not wait for one who sweeps", async () => {
    const events: StoreEvent[] = [];
    const limiter = limiterOn({ onEvent: (event) => events.push(event) });
    const used = Array.from({ length: 50 }, (_, n) => `used ${n}`);
    for (const key of used) {
      await limiter.limit("short", { key });
      await limiter.limit("long", { key });
    }
    const swept = await somebody.query("select spillway.v4_sweep('', 1000, null)");
    expect(swept.rows).toHaveLength(1);
    const asks = used.map((key) => limiter.limit("long", { key }));
    for (const answer of await Promise.all(asks)) expect(answer).toMatchObject({ remaining: 1 });
    expect(events).toEqual([]);
    await somebody.query("rollback");
  });
});
