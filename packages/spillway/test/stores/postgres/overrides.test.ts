/** Overrides of single keys: in rows that programs of older versions and fast statements meet too. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { migration, postgresStore } from "../../../src/stores/postgres/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { OLDER, type OlderVersion, olderPool } from "./older-program.ts";

const LIMITS = {
  bucket: { kind: "token bucket", rate: 10, period: "1h" },
  strict: { kind: "token bucket", rate: 10, period: "1h", maxReserved: 0 },
  window: { kind: "fixed window", rate: 10, period: "366d", start: 0 },
} as const;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let server: PostgresServer;
let pool: pg.Pool;
let clock: ReturnType<typeof manualClock>;
let limiter: RateLimiter<typeof LIMITS, "later">;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 2 });
  await pool.query([...Object.values(OLDER), migration()].join(";"));
});
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await pool.query("truncate spillway.budgets, spillway.entries, spillway.exceptions");
  clock = manualClock();
  limiter = limiterOn(pool);
});

function limiterOn(its: pg.Pool, limits = LIMITS): RateLimiter<typeof LIMITS, "later"> {
  return new RateLimiter(limits, { store: postgresStore(its, { clock, deadline: 20_000 }) });
}

async function others(): Promise<number> {
  const { rows } = await pool.query(
    "select coalesce(cardinality(others), 0) as n from spillway.budgets",
  );
  return rows[0].n;
}

describe.each([1, 2, 3] as const)("a program of version %i", (version: OlderVersion) => {
  let olders: pg.Pool;
  beforeAll(() => {
    olders = olderPool(server.url, version);
  });
  afterAll(() => olders.end());

  test.each(["bucket", "window"] as const)(
    "decides by the limit, and the override stays: %s",
    async (name) => {
      const older = limiterOn(olders);
      await limiter.override(name, { key: "k", rate: 25, for: "1h" });
      expect(await limiter.limit(name, { key: "k", count: 8 })).toMatchObject({ capacity: 25 });
      expect(await older.limit(name, { key: "k" })).toMatchObject({ capacity: 10, remaining: 1 });
      expect(await limiter.limit(name, { key: "k" })).toMatchObject({
        remaining: 15,
        overridden: true,
      });
      expect(await older.value(name, { key: "k" })).toMatchObject({ capacity: 10, remaining: 0 });
      expect(await limiter.value(name, { key: "k" })).toMatchObject({ remaining: 15 });
      expect(await older.limit(name, { key: "k" })).toMatchObject({ ok: false });
      expect(await limiter.value(name, { key: "k" })).toMatchObject({ remaining: 15 });
    },
  );

  test("ends an override with a reset", async () => {
    await limiter.override("bucket", { key: "k", rate: 25 });
    await limiter.limit("bucket", { key: "k", count: 20 });
    await limiterOn(olders).reset("bucket", { key: "k" });
    expect(await limiter.limit("bucket", { key: "k" })).toMatchObject({
      capacity: 10,
      remaining: 9,
    });
  });
});

test("what is asked for with others, or alone, meets the override", async () => {
  await limiter.override("bucket", { key: "k", rate: 2 });
  const keys = ["a", "k", "b", "k", "k", "c"];
  const all = () => Promise.all(keys.map((key) => limiter.limit("bucket", { key })));
  for (const isNew of [true, false]) {
    const answers = await all();
    expect(answers.map(({ ok }) => ok)).toEqual([true, isNew, true, isNew, false, true]);
  }
  expect(await limiter.check("bucket", { key: "k" })).toMatchObject({ ok: false, capacity: 2 });
});

test("a key whose override equals its limit's definition is asked for by fast statements after its end", async () => {
  await limiter.override("bucket", { key: "k", rate: 10, for: 1000 });
  expect(await limiter.limit("bucket", { key: "k" })).toMatchObject({ overridden: true });
  expect(await others()).toBe(1);
  clock.advance(1000);
  expect(await limiter.limit("bucket", { key: "k" })).not.toHaveProperty("overridden", true);
  clock.advance(4_000_000);
  await limiter.limit("bucket", { key: "k" });
  expect(await others()).toBe(0);
});

test("units are reserved as far as the override allows, not the limit", async () => {
  const [few, many] = [
    limiter,
    limiterOn(pool, { ...LIMITS, strict: { ...LIMITS.strict, maxReserved: 5 } as never }),
  ];
  await many.override("strict", { key: "k", rate: 20 });
  await few.limit("strict", { key: "k", count: 20 });
  expect(await few.limit("strict", { key: "k", count: 5, reserve: true })).toMatchObject({
    ok: true,
  });
  expect(await few.limit("strict", { key: "k", reserve: true })).toMatchObject({ ok: false });
});

test("a row is swept no sooner than its override ends", async () => {
  await limiter.override("bucket", { key: "k", rate: 99, for: "300d" });
  clock.advance(299 * DAY);
  await pool.query("select spillway.v4_sweep('', 1000, $1)", [clock()]);
  expect(await limiter.value("bucket", { key: "k" })).toMatchObject({ capacity: 99 });
  clock.advance(DAY + 2 * HOUR);
  await pool.query("select spillway.v4_sweep('', 1000, $1)", [clock()]);
  expect((await pool.query("select from spillway.budgets")).rows).toEqual([]);
});

describe("as in memory", () => {
  type Turn = (one: RateLimiter<typeof LIMITS, "later" | "now">) => unknown;
  let both: readonly RateLimiter<typeof LIMITS, "later" | "now">[];
  beforeEach(() => {
    both = [new RateLimiter(LIMITS, { store: memoryStore({ clock }) }), limiter];
  });

  /** Returns what both have answered. */
  async function same(turn: Turn): Promise<unknown> {
    const [expected, found] = await Promise.all(both.map(turn));
    expect(found).toEqual(expected);
    return found;
  }

  test("what the limit counts is kept beside a long override, to its end", async () => {
    const key = "k";
    await same((one) => one.limit("bucket", { key, count: 5 }));
    await same((one) => one.override("bucket", { key, rate: 1, capacity: 20, for: "1d" }));
    clock.advance(DAY - HOUR);
    await same((one) => one.limit("bucket", { key, count: 20 }));
    clock.advance(HOUR);
    const answer = await same((one) => one.value("bucket", { key }));
    expect(answer).toMatchObject({ remaining: 10 });
  });

  test("windows stay where they are when a key with an override is reset", async () => {
    const key = "k";
    clock.advance(-(clock() % HOUR) + 10);
    const config = { kind: "fixed window", rate: 10, period: "1h", start: 0 } as const;
    const later = { ...config, start: 1000 };
    await same((one) => one.override("window", { key, config, rate: 3 }));
    await same((one) => one.limit("window", { key, config, count: 3 }));
    await same((one) => one.reset("window", { key, config: later }));
    await same((one) => one.limit("window", { key, config: later, count: 3 }));
    clock.advance(HOUR - 10);
    const answer = await same((one) => one.value("window", { key, config: later }));
    expect(answer).toMatchObject({ remaining: 3 });
  });

  test("an override equal to the limit goes on if the clock goes back before its end", async () => {
    const key = "k";
    await same((one) => one.override("bucket", { key, rate: 10, for: 1000 }));
    clock.advance(1000);
    await same((one) => one.limit("bucket", { key }));
    clock.advance(-1);
    const answer = await same((one) => one.limit("bucket", { key }));
    expect(answer).toMatchObject({ ok: true });
  });
});

test("an override in a transaction takes effect when that commits", async () => {
  const client = await pool.connect();
  for (const [end, capacity] of [
    ["rollback", 10],
    ["commit", 30],
  ] as const) {
    await client.query("begin");
    const inside = limiter.within(client);
    await inside.override("window", { key: "k", rate: 30 });
    expect(await inside.value("window", { key: "k" })).toMatchObject({ capacity: 30 });
    await client.query(end);
    expect(await limiter.value("window", { key: "k" })).toMatchObject({ capacity });
  }
  client.release();
});
