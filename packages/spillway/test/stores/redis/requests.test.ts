import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { ONCE } from "./clients.ts";

const LIMITS = {
  bucket: { kind: "token bucket", rate: 5, period: "1h" },
  window: { kind: "fixed window", rate: 5, period: "1h", start: 0 },
  log: { kind: "sliding log", rate: 5, period: "1h" },
  blurred: { kind: "sliding window", rate: 5, period: "1h" },
  queue: { kind: "leaky bucket", rate: 5, period: "1h" },
} as const;
const KINDS = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

let server: RedisNode;
let client: Redis;

beforeAll(async () => {
  server = await startRedis();
  client = new Redis(server.port, ONCE);
});
beforeEach(async () => {
  await client.flushall();
  await client.config("RESETSTAT");
});
afterAll(async () => {
  client.disconnect();
  await server[Symbol.asyncDispose]();
});

const patient = { deadline: 10_000 };
const limiterOf = (options = {}) =>
  new RateLimiter(LIMITS, { store: redisStore(client, { ...patient, ...options }) });

/** How often the script has been run since the last reset of the statistics. */
async function calls(): Promise<number> {
  const stats = await client.info("commandstats");
  const counts = [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)[^\n]*failed_calls=(\d+)/g)];
  return counts.reduce((all, [, run, failed]) => all + Number(run) - Number(failed), 0);
}

describe("requests", () => {
  test("a decision is one script call, however many limits it takes", async () => {
    const limiter = limiterOf();
    const { ok } = await limiter.limitAll(KINDS.map((limit) => ({ limit, key: "k" })));
    expect(ok).toBe(true);
    expect(await calls()).toBe(1);
  });

  test("what is asked in one turn shares a call, in order", async () => {
    const limiter = limiterOf();
    const asks = Array.from({ length: 7 }, () => limiter.limit("bucket", { key: "k" }));
    const value = limiter.value("bucket", { key: "k" });
    const others = Array.from({ length: 50 }, (_, n) => limiter.limit("window", { key: `${n}` }));
    const decisions = await Promise.all(asks);
    expect(decisions.map(({ ok }) => ok)).toEqual([true, true, true, true, true, false, false]);
    expect(decisions.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
    expect(await value).toMatchObject({ remaining: 0 });
    expect((await Promise.all(others)).every(({ ok }) => ok)).toBe(true);
    expect(await calls()).toBe(1);
  });

  test("what a settlement gives back can be asked for in the same turn", async () => {
    const clock = manualClock();
    const limiter = limiterOf({ clock });
    await limiter.limit("log", { count: 2 });
    clock.advance(1_800_000);
    await limiter.limit("log", { count: 3 });
    // The first units are over, and the others are given back: nothing is left.
    clock.advance(1_800_000);
    const [settled, asked, value] = await Promise.all([
      limiter.settle("log", { reserved: 3, used: 0 }),
      limiter.limit("log", { count: 4 }),
      limiter.value("log"),
    ]);
    expect([settled, asked, value].map(({ remaining }) => remaining)).toEqual([5, 1, 1]);
  });

  test("a turn that asks for very much is divided", async () => {
    const limiter = limiterOf();
    await Promise.all(
      Array.from({ length: 1000 }, (_, n) => limiter.limit("bucket", { key: `${n}` })),
    );
    expect(await calls()).toBe(8);
  });

  test("a limit that changes in the middle of a turn is asked under both definitions", async () => {
    const store = redisStore(client, patient);
    const tight = new RateLimiter(
      { it: { kind: "token bucket", rate: 5, period: "1h" } },
      { store },
    );
    const wide = new RateLimiter(
      { it: { kind: "token bucket", rate: 9, period: "1h" } },
      { store },
    );
    const [one, other, again] = await Promise.all([
      tight.limit("it", { count: 3 }),
      wide.limit("it", { count: 3 }),
      tight.value("it"),
    ]);
    expect([one.remaining, other.remaining, again.remaining]).toEqual([2, 3, 0]);
  });

  test("a key that holds something else fails alone, and keeps it", async () => {
    const limiter = limiterOf({ prefix: "p" });
    await client.set("p:{1=k}:bucket", "mine");
    await client.rpush("p:{1=k}:window", "mine");
    await client.set("p:{5=short}:queue", "1");
    const [text, list, short, fine] = await Promise.all([
      limiter.limit("bucket", { key: "k" }),
      limiter.limit("window", { key: "k" }),
      limiter.limit("queue", { key: "short" }),
      limiter.limit("log", { key: "k" }),
    ]);
    const degraded = { ok: false, reason: "unavailable", degraded: true };
    expect([text, list, short]).toMatchObject([degraded, degraded, degraded]);
    expect(fine).toMatchObject({ ok: true, remaining: 4 });
    const value = limiter.value("bucket", { key: "k" });
    await expect(value).rejects.toMatchObject({ code: "unavailable", limit: "bucket" });
    const all = await limiter.limitAll([
      { limit: "log", key: "k" },
      { limit: "bucket", key: "k" },
    ]);
    expect(all.ok).toBe(false);
    expect(await limiter.value("log", { key: "k" })).toMatchObject({ remaining: 4 });
    expect(await client.get("p:{1=k}:bucket")).toBe("mine");
    expect(await client.lrange("p:{1=k}:window", 0, -1)).toEqual(["mine"]);
  });

  test("a node that has lost its scripts learns them again", async () => {
    const limiter = limiterOf();
    await limiter.limit("bucket");
    await client.script("FLUSH");
    expect(await limiter.limit("bucket")).toMatchObject({ ok: true, remaining: 3 });
    expect(await limiter.limit("bucket")).toMatchObject({ ok: true, remaining: 2 });
  });
});

describe("keys", () => {
  /** A bucket's key is kept for a quarter longer, so that fewer calls have to set its time. */
  const SPARE: Partial<Record<(typeof KINDS)[number], number>> = { bucket: 1.25, queue: 1.25 };

  test.each(KINDS)("of a %s expire when they equal fresh ones", async (limit) => {
    const limiter = limiterOf();
    for (let count = 1; count <= 3; count++) {
      const { resetAfter } = await limiter.limit(limit, { key: "k" });
      for (const key of await client.keys("*")) {
        const left = await client.pttl(key);
        expect(left).toBeLessThanOrEqual(resetAfter * (SPARE[limit] ?? 1) + 10_000);
        // What has passed since the answer was made.
        expect(left).toBeGreaterThan(resetAfter - 10_000);
      }
    }
  });

  test("are gone when nothing is used any more, and none is made by a refusal or a look", async () => {
    const limiter = limiterOf();
    for (const limit of KINDS) {
      await limiter.limit(limit, { key: "k", count: 6 });
      await limiter.check(limit, { key: "k" });
      await limiter.value(limit, { key: "k" });
      await limiter.reset(limit, { key: "k" });
      await limiter.settle(limit, { key: "k", reserved: 5, used: 0 });
      await limiter.unblock(limit, { key: "k" });
    }
    expect(await client.keys("*")).toEqual([]);
    for (const limit of KINDS) {
      await limiter.limit(limit, { key: "k" });
      await limiter.reset(limit, { key: "k" });
    }
    expect(await client.keys("*")).toEqual([]);
  });

  test("of a block last as long as the block", async () => {
    const limiter = limiterOf();
    await limiter.block("bucket", { key: "k", for: "1m" });
    const [key] = await client.keys("*:bucket");
    expect(await client.pttl(key as string)).toBeLessThanOrEqual(60_000);
    await limiter.unblock("bucket", { key: "k" });
    // With the last entry, the keys of the register are gone as well.
    expect(await client.keys("*")).toEqual([]);
  });

  test("are 39 bytes for a usual state, and 13 more for each entry of a log", async () => {
    const clock = manualClock();
    const limiter = limiterOf({ prefix: "p", clock });
    await limiter.limit("bucket", { key: "k" });
    expect(await client.strlen("p:{1=k}:bucket")).toBeLessThanOrEqual(44);
    await limiter.limit("log", { key: "k" });
    const one = await client.strlen("p:{1=k}:log");
    expect(one).toBeLessThanOrEqual(44 + 1 + 13);
    clock.advance(1);
    await limiter.limit("log", { key: "k" });
    expect(await client.strlen("p:{1=k}:log")).toBe(one + 13);
    expect(await client.dbsize()).toBe(2);
  });
});

describe("a sliding log that is long", () => {
  test("answers exactly, however little of it is read", async () => {
    const limit = { kind: "sliding log", rate: 500, period: "1h" } as const;
    const limiter = new RateLimiter({ it: limit }, { store: redisStore(client, patient) });
    for (let ask = 0; ask < 100; ask++) await limiter.limit("it", { count: 5 });
    const { retryAfter } = await limiter.limit("it", { count: 7 });
    const sooner = await limiter.limit("it", { count: 1 });
    expect(sooner).toMatchObject({ ok: false, remaining: 0 });
    expect(retryAfter).toBeGreaterThanOrEqual(sooner.retryAfter);
    expect(await limiter.settle("it", { reserved: 5, used: 2 })).toMatchObject({ remaining: 3 });
    expect(await limiter.limit("it", { count: 3 })).toMatchObject({ ok: true, remaining: 0 });
  });
});

describe("shards", () => {
  const hot = (shards: number) =>
    ({ kind: "token bucket", rate: 100, period: "1d", shards }) as const;

  test("never admit more than the limit, however many lose their share to others", async () => {
    const limiter = new RateLimiter({ hot: hot(20) }, { store: redisStore(client, patient) });
    for (let round = 0; round < 20; round++) {
      const ask = () => limiter.limit("hot", { key: `${round}`, count: 6 });
      const decisions = await Promise.all(Array.from({ length: 60 }, ask));
      const admitted = decisions.filter(({ ok }) => ok).length * 6;
      const { remaining } = await limiter.value("hot", { key: `${round}` });
      expect(admitted + remaining).toBe(100);
    }
  });

  test("lose with others what those refuse, again and again", async () => {
    const limits = { hot: hot(20), one: { kind: "fixed window", rate: 1, period: "1d" } } as const;
    const limiter = new RateLimiter(limits, { store: redisStore(client, patient) });
    const both = () =>
      limiter.limitAll([
        { limit: "hot", key: "k", count: 9 },
        { limit: "one", key: "k" },
      ]);
    const joint = await Promise.all(Array.from({ length: 8 }, both));
    expect(joint.filter(({ ok }) => ok).length).toBe(1);
    expect(await limiter.value("hot", { key: "k" })).toMatchObject({ remaining: 91 });
    const [one] = joint.filter(({ ok }) => ok);
    expect(one?.decisions[1]).toMatchObject({ limit: "one", remaining: 0 });
  });

  test("of a limit that changes in the middle of a turn are asked under both definitions", async () => {
    const limiter = limiterOf();
    const ask = (rate: number) =>
      limiter.limit("x", { key: "k", count: 1, config: { ...hot(2), rate } });
    const decisions = await Promise.all([ask(10), limiter.limit("bucket"), ask(20), ask(10)]);
    expect(decisions.map(({ ok, degraded }) => [ok, degraded])).toEqual(
      Array.from({ length: 4 }, () => [true, undefined]),
    );
  });

  test("tell the starts that were given, when many reserve at once", async () => {
    const clock = manualClock();
    const limits = { it: { kind: "token bucket", rate: 10, period: 1000, shards: 2 } } as const;
    const limiter = new RateLimiter(limits, { store: redisStore(client, { ...patient, clock }) });
    const ask = () => limiter.limit("it", { reserve: true });
    const decisions = await Promise.all(Array.from({ length: 30 }, ask));
    const starts = decisions.map(({ retryAfter }) => retryAfter).sort((a, b) => a - b);
    starts.forEach((start, index) => {
      // Ten are there; each shard then earns a unit every 200 ms.
      expect(start).toBeGreaterThanOrEqual(200 * Math.ceil(Math.max(0, index - 9) / 2));
    });
  });

  test("are not admitted where the store fails before they are taken", async () => {
    const limits = { it: { ...hot(4), whenUnavailable: "closed" } } as const;
    const limiter = new RateLimiter(limits, { store: redisStore(client, patient) });
    await limiter.limit("it", { key: "k", count: 80 });
    await client.config("SET", "maxmemory", "1");
    const decision = await limiter.limit("it", { key: "k", count: 20 });
    await client.config("SET", "maxmemory", "0");
    expect(decision).toMatchObject({ ok: false, reason: "unavailable", degraded: true });
    expect(await limiter.value("it", { key: "k" })).toMatchObject({ remaining: 20 });
  });

  test("that log show what was there when they were looked at", async () => {
    const clock = manualClock();
    const limits = { log: { kind: "sliding log", rate: 8, period: 1000, shards: 2 } } as const;
    const store = redisStore(client, { ...patient, clock });
    const limiter = new RateLimiter(limits, { store });
    await limiter.limit("log", { count: 8 });
    clock.advance(1000);
    const [value] = await Promise.all([limiter.value("log"), limiter.limit("log", { count: 2 })]);
    expect(value).toMatchObject({ remaining: 8 });
  });
});

test("a tag that can't be named is its ask's own failure", async () => {
  const tag = ({ key }: { readonly key: string | undefined }) => {
    if (key === "bad") throw new Error("no tag");
    return "org";
  };
  const limiter = limiterOf({ tag });
  const good = limiter.limit("bucket", { key: "good" });
  expect(() => limiter.limit("bucket", { key: "bad" })).toThrow("no tag");
  expect(await good).toMatchObject({ ok: true });
});

test("two definitions of a limit in one ask, and one of them later, are told apart", async () => {
  const limiter = limiterOf();
  const config = (rate: number) => ({ kind: "fixed window", rate, period: "1d" }) as const;
  const [joint, single, other] = await Promise.all([
    limiter.limitAll([
      { limit: "x", key: "a", config: config(10) },
      { limit: "x", key: "b", config: config(20) },
    ]),
    limiter.limit("x", { key: "a", config: config(20), count: 19 }),
    limiter.limit("bucket"),
  ]);
  expect([joint.ok, single.ok, other.ok]).toEqual([true, true, true]);
  expect([joint, single, other].map(({ degraded }) => degraded)).toEqual(Array(3).fill(undefined));
});

test("very many asks are taken together, and more than that are refused at once", async () => {
  const limiter = limiterOf();
  const asks = (many: number) =>
    Array.from({ length: many }, (_, n) => ({ limit: "bucket" as const, key: `${n}` }));
  expect(await limiter.limitAll(asks(1000))).toMatchObject({ ok: true });
  expect(() => limiter.limitAll(asks(1001))).toThrow(expect.objectContaining({ code: "bad-ask" }));
});
