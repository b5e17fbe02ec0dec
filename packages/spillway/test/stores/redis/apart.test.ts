/** What long logs and many leases keep apart from their state: which keys, for how long, and what a call reads. */
import type { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Limit, Limits } from "../../../src/limits/core/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { RedisKeys } from "../../../src/stores/redis/redis-keys.ts";
import { asking } from "../../../src/testing/asking.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { ownRedis } from "./own-redis.ts";

const LIMITS = {
  log: { kind: "sliding log", rate: 100, period: "1h" },
  jobs: { kind: "concurrency", capacity: 100, ttl: "1h" },
} as const satisfies Limits;
type Name = keyof typeof LIMITS;
const NAMES: readonly Name[] = ["log", "jobs"];
const key = "k";
/** More than a value holds of either. */
const MANY = 70;

const keys = new RedisKeys("p", undefined);
const planOf = (name: Name, limit: Limit = LIMITS[name]) => planFor(name, limit);
const stateOf = (name: Name) => keys.stateKey({ plan: planOf(name), key });
const listOf = (name: Name, limit?: Limit) => keys.listKey(stateOf(name), planOf(name, limit));

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

/** A store, and calls on its one key by which instants and leases are told apart. */
function open() {
  const clock = manualClock();
  const store = redisStore(client, { prefix: "p", deadline: 10_000, clock });
  let id = 0;
  const askOf = (name: Name, count: number, limit?: Limit) => {
    id++;
    const lease = name === "jobs" ? { id, headroom: 0 } : undefined;
    return { plan: planOf(name, limit), key, count, reserve: false, lease };
  };
  return {
    clock,
    store,
    limiter: new RateLimiter(LIMITS, { store }),
    take: (name: Name, count = 1, limit?: Limit) => asking(store).limit(askOf(name, count, limit)),
    check: (name: Name, count = 1) => asking(store).check(askOf(name, count)),
    release: (id: number) => asking(store).release({ plan: planOf("jobs"), key }, { id, count: 1 }),
    /** Takes a unit each millisecond. */
    async fill(name: Name, many = MANY) {
      for (let taken = 0; taken < many; taken++) {
        expect(await this.take(name)).toMatchObject({ ok: true });
        clock.advance(1);
      }
    },
  };
}

describe.each(NAMES)("much of a limit: %s", (name) => {
  const state = stateOf(name);
  const list = listOf(name);

  test("is kept in a key of its own, for as long as the state", async () => {
    const it = open();
    await it.fill(name, 10);
    expect(await client.keys("*")).toEqual([state]);
    await it.fill(name);
    expect((await client.keys("*")).sort()).toEqual([state, list].sort());
    expect(await client.type(list)).toBe(name === "log" ? "list" : "zset");
    expect(await client.pttl(list)).toBeGreaterThan((await client.pttl(state)) - 1000);
    it.clock.advance(3_600_000);
    expect(await it.take(name)).toMatchObject({ ok: true, remaining: 99 });
    expect(await client.keys("*")).toEqual([state]);
  });

  test("is gone with a reset, and begins anew", async () => {
    const { limiter, ...it } = open();
    await it.fill(name);
    await limiter.reset(name, { key });
    expect(await client.keys("*")).toEqual([]);
    await it.fill(name, 40);
    expect(await it.check(name, 60)).toMatchObject({ ok: true });
    expect(await it.check(name, 61)).toMatchObject({ ok: false });
  });

  test("that Redis has evicted is counted for as long as it could be", async () => {
    const it = open();
    await it.fill(name);
    await client.del(list);
    // All of the newest entry, a millisecond ago, save what is still in the value of a log.
    const refused = await it.check(name, 31);
    expect(refused).toMatchObject({ ok: false, remaining: 30, retryAfter: 3_599_999 });
    expect(await it.take(name, 30)).toMatchObject({ ok: true, remaining: 0 });
    it.clock.advance(3_599_999);
    expect(await it.take(name, 70)).toMatchObject({ ok: true, remaining: 0 });
  });

  test("is forgotten where the state is evicted", async () => {
    const it = open();
    await it.fill(name);
    await client.del(state);
    await it.fill(name, 40);
    expect(await it.check(name, 61)).toMatchObject({ ok: false, remaining: 60 });
    expect(await it.check(name, 60)).toMatchObject({ ok: true });
  });

  const theirs: readonly [string, (key: string) => Promise<unknown>][] = [
    ["a text", (key) => client.set(key, "mine")],
    ["a list", (key) => client.rpush(key, "mine")],
    ["a set", (key) => client.sadd(key, "mine")],
    ["a sorted set", (key) => client.zadd(key, 5, "mine")],
  ];

  test.each(theirs)("fails alone where its key is somebody else's: %s", async (_, put) => {
    const { limiter, ...it } = open();
    await it.fill(name);
    await client.del(list);
    await put(list);
    const kept = await client.dump(list);
    const [refused, fine] = await Promise.all([
      it.take(name),
      asking(it.store).check({ plan: planOf("log"), key: "l", count: 1, reserve: false }),
    ]);
    expect(refused).toMatchObject({ ok: false, reason: "unavailable", degraded: true });
    expect(fine).toMatchObject({ ok: true });
    await expect(limiter.value(name, { key })).rejects.toThrow(`the key \\"${state}`);
    expect(await client.dump(list)).toBe(kept);
  });

  test.each(theirs)("stays in the value where its key is somebody else's: %s", async (_, put) => {
    const it = open();
    await put(list);
    const kept = await client.dump(list);
    await it.fill(name, 100);
    expect(await it.check(name, 50)).toMatchObject({ ok: false, retryAfter: 3_599_949 });
    expect(await client.dump(list)).toBe(kept);
  });

  test("is kept apart for each definition, and moves to none", async () => {
    const it = open();
    const wider = { ...LIMITS[name], capacity: 150, ...(name === "log" && { rate: 150 }) } as Limit;
    await it.fill(name);
    expect(await it.take(name, 1, wider)).toMatchObject({ ok: true, remaining: 79 });
    expect(await it.take(name)).toMatchObject({ ok: true, remaining: 28 });
    expect(await it.take(name, 1, wider)).toMatchObject({ ok: true, remaining: 77 });
    const expected = [state, list, listOf(name, wider)].sort();
    expect((await client.keys("*")).sort()).toEqual(expected);
  });
});

test("leases that are released leave nothing, and those that are over are dropped a few at a time", async () => {
  const it = open();
  await it.fill("jobs");
  for (let id = 1; id <= 35; id++) expect(await it.release(id)).toBe(true);
  expect(await client.zcard(listOf("jobs"))).toBe(35);
  it.clock.advance(3_599_980);
  expect(await it.take("jobs")).toMatchObject({ ok: true, remaining: 80 });
  expect(await client.zcard(listOf("jobs"))).toBe(20);
  for (let id = 36; id <= 70; id++) expect(await it.release(id)).toBe(id > 51);
});

test("a lease of many units is a member for each power of two", async () => {
  const it = open();
  await it.fill("jobs", 17);
  await it.take("jobs", 13);
  expect(await client.zcard(listOf("jobs"))).toBe(17 + 3);
  expect(await it.check("jobs", 71)).toMatchObject({ ok: false, remaining: 70 });
});
