/** What is read and written of a state: how much, until when, and what a peek changes. */
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { monitored, ownRedis } from "./own-redis.ts";

/** A period that the rate doesn't divide. */
const PACE = { rate: 7, period: 3_600_001 } as const;
const LIMITS = {
  bucket: { kind: "token bucket", ...PACE },
  queue: { kind: "leaky bucket", ...PACE },
  window: { kind: "fixed window", ...PACE },
  blurred: { kind: "sliding window", ...PACE },
  log: { kind: "sliding log", ...PACE },
} as const;
const NAMES = Object.keys(LIMITS) as (keyof typeof LIMITS)[];
/** Under a clock for tests, keys stay for an hour longer. */
const HOUR = 3_600_000;

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

const storeOf = (clock: () => number) =>
  redisStore(client, { clock, prefix: "p", deadline: 10_000 });

test.each(NAMES)("a key of a %s is kept until the millisecond when it is fresh", async (limit) => {
  const clock = manualClock();
  const limiter = new RateLimiter(LIMITS, { store: storeOf(clock) });
  await using commands = await monitored(client);
  for (const count of [1, 1, 2, 1]) {
    clock.advance(1234);
    const { resetAfter } = await limiter.limit(limit, { key: "k", count });
    const written = (await commands.take()).find(([name]) => name === "PSETEX");
    expect(written?.slice(1, 3)).toEqual([`p:{1=k}:${limit}`, `${resetAfter + HOUR}`]);
  }
});

test("a log that is long is read as far as an answer depends on it", async () => {
  const clock = manualClock();
  const limits = { it: { kind: "sliding log", rate: 500, period: "1h" } } as const;
  const far = new RateLimiter(limits, { store: storeOf(clock) });
  const near = new RateLimiter(limits, { store: memoryStore({ clock }) });
  for (let ask = 0; ask < 100; ask++) {
    clock.advance(1000);
    expect(await far.limit("it", { count: 5 })).toEqual(near.limit("it", { count: 5 }));
  }
  for (const count of [1, 80, 81, 85, 200, 499, 500]) {
    expect(await far.check("it", { count })).toEqual(near.check("it", { count }));
  }
});

test("a block that was peeked at goes back with the clock like any other", async () => {
  const clock = manualClock();
  const limits = { it: { kind: "token bucket", rate: 5, period: "1s" } } as const;
  const limiter = new RateLimiter(limits, { store: storeOf(clock) });
  await limiter.block("it", { for: "10s" });
  clock.advance(-500);
  expect(await limiter.value("it")).toMatchObject({ blockedFor: 10_500 });
  // As far as a period, counted from when the block began.
  clock.advance(-600);
  expect(await limiter.value("it")).toMatchObject({ blockedFor: 10_000 });
});

test("buckets taken together are charged together, whichever of them refuses", async () => {
  const clock = manualClock();
  const tight = { ...LIMITS.bucket, rate: 1 };
  const limiter = new RateLimiter({ tight, wide: LIMITS.bucket }, { store: storeOf(clock) });
  const both = () => limiter.limitAll([{ limit: "tight" }, { limit: "wide" }]);
  expect(await both()).toMatchObject({ ok: true });
  expect((await both()).decisions).toMatchObject([{ reason: "limited" }, { ok: true }]);
  expect(await limiter.value("wide")).toMatchObject({ remaining: 6 });
});

test("a bucket's key that holds a list fails, and keeps it", async () => {
  const limiter = new RateLimiter(LIMITS, { store: storeOf(manualClock()) });
  await client.rpush("p:{1=k}:bucket", "mine");
  expect(await limiter.limit("bucket", { key: "k" })).toMatchObject({ degraded: true });
  expect(await client.lrange("p:{1=k}:bucket", 0, -1)).toEqual(["mine"]);
});

test("a block of a key that has used nothing is kept, by the server's own clock", async () => {
  const store = redisStore(client, { prefix: "p", deadline: 10_000 });
  const limiter = new RateLimiter(LIMITS, { store });
  await limiter.block("bucket", { key: "k", for: "1h" });
  expect(await limiter.limit("bucket", { key: "k" })).toMatchObject({ reason: "blocked" });
});

/** As many bytes of a value as there can be: up to 2²⁴, 2⁴⁰ and beyond, ticks or units. */
const LARGE = {
  bucket: { kind: "token bucket", rate: 1_000_003, period: 7_919, capacity: 1_000_000_000 },
  queue: { kind: "leaky bucket", rate: 1, period: 31_622_400, capacity: 100_000_000 },
  window: { kind: "fixed window", rate: 1_000_000_000, period: "1h" },
  blurred: { kind: "sliding window", rate: 1_000_000_000, period: 1000 },
  log: { kind: "sliding log", rate: 1_000_000_000, period: "1h" },
} as const;

test.each(Object.keys(LARGE) as (keyof typeof LARGE)[])(
  "states of all sizes are read as they were written: %s",
  async (limit) => {
    const clock = manualClock();
    const far = new RateLimiter(LARGE, { store: storeOf(clock), warn: () => {} });
    const near = new RateLimiter(LARGE, { store: memoryStore({ clock }), warn: () => {} });
    for (const count of [1, 4, 20, 300, 70_000, 17_000_000, 40_000_000]) {
      // The window before, or two of them, are over now and then.
      clock.advance(count % 3 === 0 ? 999 : 1001);
      for (const settled of [undefined, 0, Math.floor(count / 2)]) {
        expect(await far.limit(limit, { count })).toEqual(near.limit(limit, { count }));
        expect(await far.limit(limit)).toEqual(near.limit(limit));
        expect(await far.value(limit)).toEqual(near.value(limit));
        if (settled === undefined) continue;
        const settlement = { reserved: count, used: settled };
        expect(await far.settle(limit, settlement)).toEqual(near.settle(limit, settlement));
        expect(await far.limit(limit)).toEqual(near.limit(limit));
      }
    }
  },
);
