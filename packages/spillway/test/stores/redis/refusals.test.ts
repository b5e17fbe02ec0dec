import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { type RedisStoreOptions, redisStore } from "../../../src/stores/redis/index.ts";
import { until } from "../../servers/until.ts";
import { ownRedis } from "./own-redis.ts";

const LIMITS = {
  login: { kind: "token bucket", rate: 5, period: "1h" },
  daily: { kind: "fixed window", rate: 100, period: "1d" },
} as const;

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

/** Old enough that no test outlives it. */
const LASTING = { denialCache: { maxAge: 3_600_000 }, deadline: 10_000 };
const limiterOf = (options: RedisStoreOptions = LASTING) =>
  new RateLimiter(LIMITS, { store: redisStore(client, options) });

async function callsDuring(work: () => Promise<unknown>): Promise<number> {
  await client.config("RESETSTAT");
  await work();
  const stats = await client.info("commandstats");
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

test("a key that is refused is refused again without the store, for asks at least as large", async () => {
  const limiter = limiterOf();
  await limiter.limit("login", { key: "k", count: 3 });
  const first = await limiter.limit("login", { key: "k", count: 3 });
  const attack = async () => {
    for (let ask = 0; ask < 100; ask++) {
      const again = await limiter.limit("login", { key: "k", count: 3 });
      expect(again).toMatchObject({ ok: false, reason: "limited", remaining: 2 });
      expect(again.retryAfter).toBeLessThanOrEqual(first.retryAfter);
      // One unit more comes back twelve minutes later.
      const larger = await limiter.limit("login", { key: "k", count: 4 });
      expect(larger.retryAfter).toBeGreaterThan(first.retryAfter + 600_000);
      const largest = await limiter.limit("login", { key: "k", count: 6 });
      expect(largest).toMatchObject({ reason: "too large", retryAfter: Infinity });
    }
    expect(await limiter.check("login", { key: "k", count: 3 })).toMatchObject({ ok: false });
  };
  expect(await callsDuring(attack)).toBe(0);
  expect(await limiter.limit("login", { key: "k", count: 2 })).toMatchObject({ ok: true });
});

test("so are asks taken together, for both limits", async () => {
  const limiter = limiterOf();
  const both = () =>
    limiter.limitAll([
      { limit: "login", key: "k" },
      { limit: "daily", key: "k" },
    ]);
  await limiter.limit("login", { key: "k", count: 5 });
  expect(await both()).toMatchObject({ ok: false, refused: ["login"] });
  const attack = async () => {
    for (let ask = 0; ask < 100; ask++) {
      const { decisions, refused } = await both();
      expect(refused).toEqual(["login"]);
      expect(decisions[1]).toMatchObject({ ok: true, remaining: 100 });
    }
  };
  expect(await callsDuring(attack)).toBe(0);
});

test.each(["reset", "unblock", "settle"] as const)("a %s here is seen at once", async (change) => {
  const limiter = limiterOf();
  if (change === "unblock") await limiter.block("login", { key: "k", for: "1h" });
  else await limiter.limit("login", { key: "k", count: 5 });
  expect(await limiter.limit("login", { key: "k" })).toMatchObject({ ok: false });
  if (change === "settle") await limiter.settle("login", { key: "k", reserved: 5, used: 0 });
  else await limiter[change]("login", { key: "k" });
  expect(await limiter.limit("login", { key: "k" })).toMatchObject({ ok: true });
});

test("an answer that was under way while a key was reset is not remembered", async () => {
  const limiter = limiterOf();
  await limiter.limit("login", { key: "k", count: 5 });
  const [refused] = await Promise.all([
    limiter.limit("login", { key: "k" }),
    limiter.reset("login", { key: "k" }),
  ]);
  expect(refused).toMatchObject({ ok: false });
  expect(await limiter.limit("login", { key: "k" })).toMatchObject({ ok: true });
});

test("a reset elsewhere is seen after the greatest age", async () => {
  const short = limiterOf({ ...LASTING, denialCache: { maxAge: 1 } });
  await short.limit("login", { key: "k", count: 5 });
  await short.limit("login", { key: "k" });
  await limiterOf().reset("login", { key: "k" });
  const isSeen = async () => (await short.limit("login", { key: "k" })).ok;
  await until(isSeen, { what: "the reset is seen" });
});

test.each([undefined, false])(
  "nothing is remembered where the option is %s",
  async (denialCache) => {
    const limiter = limiterOf({ denialCache, deadline: 10_000 } as RedisStoreOptions);
    await limiter.limit("login", { key: "k", count: 5 });
    const ask = () => limiter.limit("login", { key: "k" });
    expect(await callsDuring(ask)).toBe(1);
    expect(await callsDuring(ask)).toBe(1);
  },
);

test("what is remembered is bounded, and what was refused first is forgotten first", async () => {
  const limiter = limiterOf({ ...LASTING, denialCache: { most: 2, maxAge: 3_600_000 } });
  for (const key of ["a", "b", "c"]) {
    await limiter.limit("login", { key, count: 5 });
    await limiter.limit("login", { key });
  }
  const ask = (key: string) => () => limiter.limit("login", { key });
  expect(await callsDuring(ask("b"))).toBe(0);
  expect(await callsDuring(ask("c"))).toBe(0);
  expect(await callsDuring(ask("a"))).toBe(1);
});

test("a hot key in shards is refused without the store as well", async () => {
  const limits = { hot: { kind: "token bucket", rate: 20, period: "1h", shards: 10 } } as const;
  const limiter = new RateLimiter(limits, { store: redisStore(client, LASTING) });
  while ((await limiter.limit("hot", { key: "k" })).ok);
  const attack = async () => {
    for (let ask = 0; ask < 100; ask++) {
      expect((await limiter.limit("hot", { key: "k" })).ok).toBe(false);
    }
  };
  // Each of the ten is asked once, and all are looked at once.
  expect(await callsDuring(attack)).toBeLessThanOrEqual(20);
});

test("a long log is not answered for more than is known of it", async () => {
  const limits = { log: { kind: "sliding log", rate: 100, period: "1h" } } as const;
  const limiter = new RateLimiter(limits, { store: redisStore(client, LASTING) });
  for (let ask = 0; ask < 50; ask++) await limiter.limit("log", { key: "k", count: 2 });
  expect(await limiter.limit("log", { key: "k", count: 1 })).toMatchObject({ ok: false });
  const all = await limiter.limit("log", { key: "k", count: 100 });
  expect(all.retryAfter).toBeGreaterThan(3_590_000);
});

test("what is taken meanwhile is seen: the longest wait is told, of all that refuse", async () => {
  const limiter = limiterOf();
  const both = () =>
    limiter.limitAll([
      { limit: "login", key: "k" },
      { limit: "daily", key: "k" },
    ]);
  await limiter.limit("login", { key: "k", count: 5 });
  expect(await both()).toMatchObject({ refused: ["login"] });
  await limiter.limit("daily", { key: "k", count: 100 });
  expect(await both()).toMatchObject({ refused: ["login", "daily"] });
});

test("what happens to other keys does not keep a refusal from being remembered", async () => {
  const limiter = limiterOf();
  await limiter.limit("login", { key: "k", count: 5 });
  await Promise.all([
    limiter.limit("login", { key: "k" }),
    limiter.settle("login", { key: "other", reserved: 0, used: 1 }),
  ]);
  expect(await callsDuring(() => limiter.limit("login", { key: "k" }))).toBe(0);
});
