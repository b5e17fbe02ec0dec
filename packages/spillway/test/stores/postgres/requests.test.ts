import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { decide, planFor } from "../../../src/limits/algorithms/index.ts";
import type { StateSnapshot } from "../../../src/limits/core/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { until } from "../../servers/until.ts";

const LIMITS = {
  bucket: { kind: "token bucket", rate: 5, period: "1h" },
  window: { kind: "fixed window", rate: 5, period: "1h", start: 0 },
  log: { kind: "sliding log", rate: 5, period: "1h" },
  blurred: { kind: "sliding window", rate: 5, period: "1h" },
  queue: { kind: "leaky bucket", rate: 5, period: "1h", maxReserved: 20 },
} as const;
const KINDS = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

let server: PostgresServer;
let pool: pg.Pool;
/** What was sent through the pool, without what a connection does for itself. */
let sent: string[];

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 4 });
  sent = [];
  pool.on("connect", (client) => {
    const { query } = client;
    Object.assign(client, {
      query: (...all: Parameters<typeof query>) => {
        const [statement] = all as unknown as [string | { readonly text: string }];
        sent.push(typeof statement === "string" ? statement : statement.text);
        return query.apply(client, all);
      },
    });
  });
  await migrate(pool);
});
beforeEach(async () => {
  await pool.query("truncate spillway.budgets");
  sent = [];
});
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});

const patient = { deadline: 20_000 };
const limiterOf = (options = {}) =>
  new RateLimiter(LIMITS, { store: postgresStore(pool, { ...patient, ...options }) });

async function rows(): Promise<readonly { id: string; used: number; definition: string }[]> {
  return (await pool.query("select id, definition, used from spillway.budgets order by id")).rows;
}

describe("requests", () => {
  test("a decision is one statement, however many limits it takes", async () => {
    const limiter = limiterOf();
    const { ok } = await limiter.limitAll(KINDS.map((limit) => ({ limit, key: "k" })));
    expect(ok).toBe(true);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain(".v4_execute(");
  });

  test("what is asked most goes the short way, and leases never do", async () => {
    const limiter = limiterOf();
    await limiter.limit("bucket");
    await limiter.limit("bucket", { count: 2 });
    await limiter.limit("queue", { count: 6, reserve: true });
    for (const text of sent) expect(text).toContain(".v4_take_present(");
    sent = [];
    const config = { kind: "concurrency", capacity: 5, ttl: "1h" } as const;
    const lease = await limiter.acquire("leases", { config });
    await lease.release();
    expect(sent).toHaveLength(2);
    for (const text of sent) expect(text).toContain(".v4_execute(");
  });

  test("what is asked in one turn shares a statement, in order", async () => {
    const limiter = limiterOf();
    const asks = Array.from({ length: 7 }, () => limiter.limit("bucket", { key: "k" }));
    const value = limiter.value("bucket", { key: "k" });
    const others = Array.from({ length: 20 }, (_, n) => limiter.limit("window", { key: `${n}` }));
    const decisions = await Promise.all(asks);
    expect(decisions.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
    expect(decisions.map(({ ok }) => ok)).toEqual([true, true, true, true, true, false, false]);
    expect(await value).toMatchObject({ remaining: 0 });
    expect((await Promise.all(others)).every(({ ok }) => ok)).toBe(true);
    expect(sent).toHaveLength(1);
  });

  test("a turn that names many keys is several statements of 32", async () => {
    const limiter = limiterOf();
    const all = Array.from({ length: 70 }, (_, n) => limiter.limit("bucket", { key: `${n}` }));
    expect((await Promise.all(all)).every(({ ok }) => ok)).toBe(true);
    expect(sent.filter((text) => text.includes(".v4_take_from_buckets("))).toHaveLength(3);
  });

  /** After these, rows are expected to be there. */
  async function warm(limiter: ReturnType<typeof limiterOf>): Promise<void> {
    const keys = ["warm", "too"];
    for (let statement = 0; statement < 8; statement++) {
      await Promise.all(keys.map((key) => limiter.limit("bucket", { key })));
    }
    await limiter.reset("bucket", { key: "warm" });
    sent = [];
  }

  test("new keys among known ones follow in a second statement, charged once", async () => {
    const limiter = limiterOf();
    await warm(limiter);
    const ask = () =>
      Promise.all(["new", "warm", "too", "a"].map((key) => limiter.limit("bucket", { key })));
    expect((await ask()).map(({ ok, remaining }) => [ok, remaining])).toEqual([
      [true, 4],
      [true, 4],
      [false, 0],
      [true, 4],
    ]);
    expect(sent.map((text) => /v4_(\w+)\(/.exec(text)?.[1])).toEqual([
      "take_present",
      "take_from_buckets",
    ]);
    sent = [];
    expect((await ask()).map(({ remaining }) => remaining)).toEqual([3, 3, 0, 3]);
    expect(sent).toHaveLength(1);
  });

  test("a new key that somebody else has made and not committed fails alone", async () => {
    const limiter = limiterOf({ deadline: 2000 });
    await warm(limiter);
    const client = await pool.connect();
    await client.query("begin");
    await limiter.within(client).limit("bucket", { key: "theirs" });
    const keys = ["warm", "theirs", "ours"];
    const answers = await Promise.all(keys.map((key) => limiter.limit("bucket", { key })));
    expect(answers.map(({ ok, degraded }) => [ok, degraded])).toEqual([
      [true, undefined],
      [false, true],
      [true, undefined],
    ]);
    await client.query("rollback");
    client.release();
    const values = await Promise.all(keys.map((key) => limiter.value("bucket", { key })));
    expect(values.map(({ remaining }) => remaining)).toEqual([4, 5, 4]);
  });

  test("of buckets asked for together, each is told what it has left, refused or not", async () => {
    const limiter = limiterOf();
    await limiter.limit("bucket", { key: "spent", count: 5 });
    await limiter.block("bucket", { key: "blocked", for: "1m" });
    await limiter.limit("bucket", { key: "used", count: 2 });
    const keys = ["new", "spent", "used", "blocked"];
    sent = [];
    const answers = await Promise.all(keys.map((key) => limiter.limit("bucket", { key })));
    expect(answers.map(({ ok }) => ok)).toEqual([true, false, true, false]);
    expect(answers.map(({ remaining }) => remaining)).toEqual([4, 0, 2, 0]);
    expect(answers[3]?.reason).toBe("blocked");
    expect(sent).toHaveLength(1);
  });

  test.each([
    ["as they sort", ["a", "b", "c"]],
    ["in another order", ["c", "a", "b"]],
    ["that bytes and UTF-16 sort differently", ["\u{1f600}", "\ufb01", "z"]],
  ])("answers go back to keys %s", async (_, keys) => {
    const limiter = limiterOf();
    for (const [count, key] of keys.entries()) await limiter.limit("bucket", { key, count });
    sent = [];
    const answers = await Promise.all(keys.map((key) => limiter.limit("bucket", { key })));
    expect(answers.map(({ remaining }) => remaining)).toEqual([4, 3, 2]);
    expect(sent).toHaveLength(1);
    const spent = keys.map((key) => limiter.limit("bucket", { key, count: 3 }));
    expect((await Promise.all(spent)).map(({ ok }) => ok)).toEqual([true, true, false]);
  });

  test("a refusal, a check and a look write nothing", async () => {
    const limiter = limiterOf();
    await limiter.limit("bucket", { key: "k", count: 5 });
    const [before] = (await pool.query("select xmin, ctid from spillway.budgets")).rows;
    await limiter.limit("bucket", { key: "k", count: 2 });
    await limiter.check("bucket", { key: "k" });
    await limiter.value("bucket", { key: "other" });
    const all = (await pool.query("select xmin, ctid from spillway.budgets")).rows;
    expect(all).toEqual([before]);
  });

  test("ids can be read, and no two budgets share one", async () => {
    const limiter = limiterOf();
    for (const key of ["user 7", "\0", "\ud800", '"', "\\", "{}", "é"]) {
      await limiter.limit("bucket", { key });
    }
    await limiter.limit("bucket");
    const all = await rows();
    expect(all).toHaveLength(8);
    expect(all.map(({ id }) => id)).toContain("6:bucket=user 7");
    expect(all.map(({ id }) => id)).toContain("6:bucket");
  });

  test("a log is told only as far as the answer depends on it", async () => {
    const clock = manualClock();
    const limits = { log: { kind: "sliding log", rate: 1000, period: "1h" } } as const;
    const limiter = new RateLimiter(limits, { store: postgresStore(pool, { ...patient, clock }) });
    for (let n = 0; n < 300; n++) {
      clock.advance(1);
      await limiter.limit("log");
    }
    const told = await pool.query(
      `select length(split_part(spillway.v4_peek(
        array[id], array[definition], array[1], array[0], array[1, 1, 'Infinity'::float8, 0], null, null, null),
        ':', 2)) as length
      from spillway.budgets`,
    );
    expect(told.rows[0].length).toBeLessThan(40);
    expect((await limiter.limit("log")).remaining).toBe(699);
    expect((await limiter.limit("log", { count: 700 })).retryAfter).toBe(3_600_000 - 299);
  });

  test("a log is peeked at as far as it matters for so many units", async () => {
    const clock = manualClock();
    const limit = { kind: "sliding log", rate: 300, period: "1h" } as const;
    const store = postgresStore(pool, { ...patient, clock });
    const limiter = new RateLimiter({ log: limit }, { store });
    for (let n = 0; n < 300; n++) {
      clock.advance(1);
      await limiter.limit("log");
    }
    const plan = planFor("log", limit);
    const peekFor = async (units: { readonly units?: number }) => {
      const budgets = [{ plan, key: undefined }];
      const [sight] = await store.execute({ verb: "peek", budgets, ...units });
      return (sight as StateSnapshot).state;
    };
    const [whole, part] = [await peekFor({}), await peekFor({ units: 5 })];
    expect([whole.log?.length, part.log?.length]).toEqual([300, 6]);
    for (const count of [1, 2, 5, 301]) {
      const ask = { count, reserve: false };
      expect(decide(part, plan, ask, clock())).toEqual(decide(whole, plan, ask, clock()));
    }
  });

  test("shards of a log are known to a cache as far as it has been told", async () => {
    const clock = manualClock();
    const log = { kind: "sliding log", rate: 20, period: "1h", shards: 2 } as const;
    const [cached, other] = [{ clock }, false].map((denialCache) => {
      const store = postgresStore(pool, { ...patient, clock, denialCache });
      return new RateLimiter({ log }, { store });
    }) as [RateLimiter<{ log: typeof log }, "later">, RateLimiter<{ log: typeof log }, "later">];
    for (let n = 0; n < 20; n++) {
      clock.advance(60_000);
      await other.limit("log");
    }
    for (const count of [1, 3, 2, 5, 12, 4, 20, 1]) {
      const { ok, retryAfter } = await other.check("log", { count });
      expect(await cached.limit("log", { count })).toMatchObject({ ok, retryAfter });
    }
  });

  test("a log is told as far as settlements in one turn depend on it", async () => {
    const clock = manualClock();
    const limiter = limiterOf({ clock });
    for (let taken = 0; taken < 4; taken++) {
      await limiter.limit("log");
      clock.advance(60_000);
    }
    // Two units stand: of the four that the second would give back, only the others can come back.
    const [, value] = await Promise.all([
      limiter.settle("log", { reserved: 2, used: 2 }),
      limiter.settle("log", { reserved: 4, used: 0 }),
    ]);
    expect(value).toMatchObject({ remaining: 3, resetAfter: 3_420_000 });
  });

  test("goes by the server's clock, whatever clocks the clients have", async () => {
    await limiterOf().limit("bucket", { key: "k" });
    const { rows: all } = await pool.query(
      "select abs(extract(epoch from clock_timestamp()) * 1000 - since) < 60000 as near from spillway.budgets",
    );
    expect(all).toEqual([{ near: true }]);
  });

  test("shards are rows of their own", async () => {
    const limits = { hot: { kind: "token bucket", rate: 100, period: "1h", shards: 4 } } as const;
    const limiter = new RateLimiter(limits, { store: postgresStore(pool, patient) });
    await Promise.all(Array.from({ length: 100 }, () => limiter.limit("hot", { key: "k" })));
    expect((await limiter.limit("hot", { key: "k" })).ok).toBe(false);
    expect(await rows()).toHaveLength(4);
  });
});

describe("what is as good as nothing", () => {
  test.each(KINDS)("is so from the millisecond on that the answer says: %s", async (kind) => {
    const clock = manualClock();
    // A third of a unit a millisecond, and windows that begin in between.
    const limits = { it: { ...LIMITS[kind], rate: 7, period: 22 } } as const;
    const limiter = new RateLimiter(limits, { store: postgresStore(pool, { ...patient, clock }) });
    for (const count of [1, 2, 1, 3]) {
      clock.advance(5);
      const { ok, resetAfter } = await limiter.limit("it", { count });
      const { rows: all } = await pool.query("select fresh_at from spillway.budgets");
      if (ok) expect(all).toEqual([{ fresh_at: clock() + resetAfter }]);
    }
    await limiter.block("it", { for: "1m" });
    const { rows: all } = await pool.query("select fresh_at from spillway.budgets");
    expect(all).toEqual([{ fresh_at: clock() + 60_000 }]);
  });

  test("is so for buckets asked for together, too", async () => {
    const clock = manualClock();
    const limits = { it: { ...LIMITS.bucket, rate: 7, period: 22 } } as const;
    const limiter = new RateLimiter(limits, { store: postgresStore(pool, { ...patient, clock }) });
    const freshAt = async () =>
      (await pool.query("select fresh_at from spillway.budgets order by id")).rows;
    const both = ["a", "b"].map((key) => ({ limit: "it", key }) as const);
    for (let turn = 0; turn < 2; turn++) {
      const all = await Promise.all(both.map(({ key }) => limiter.limit("it", { key })));
      expect(await freshAt()).toEqual(
        all.map(({ resetAfter }) => ({ fresh_at: clock() + resetAfter })),
      );
      clock.advance(1);
      const { resetAfter } = await limiter.limitAll(both);
      expect(await freshAt()).toEqual(both.map(() => ({ fresh_at: clock() + resetAfter })));
      clock.advance(1);
    }
  });

  test("is swept as work goes by, and what is in use stays", async () => {
    const clock = manualClock();
    const limiter = limiterOf({ clock });
    await limiter.block("bucket", { key: "banned", for: "30d" });
    for (let hour = 0; hour < 30; hour++) {
      const keys = Array.from({ length: 100 }, (_, n) => `${hour}/${n}`);
      await Promise.all(keys.map((key) => limiter.limit("bucket", { key })));
      clock.advance(3_600_000);
    }
    // With a clock of one's own rows stay an hour longer: two hours are live. Others may be busier
    // than the sweeper, but not for ever.
    const few = async () => {
      await limiter.limit("bucket", { key: "somebody" });
      return (await rows()).length < 400;
    };
    await until(few, { what: "the table is small" });
    expect((await rows()).map(({ id }) => id)).toContain("6:bucket=banned");
  });
});
