/** When a write sets a key's time, and when it leaves it: by the server's own clock. */
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { monitored, ownRedis } from "./own-redis.ts";

const PACE = { rate: 1000, period: "12h" } as const;
const LIMITS = {
  bucket: { kind: "token bucket", ...PACE },
  queue: { kind: "leaky bucket", ...PACE },
  window: { kind: "fixed window", ...PACE, maxReserved: 3000 },
  blurred: { kind: "sliding window", ...PACE },
} as const;
const NAMES = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

const open = () =>
  new RateLimiter(LIMITS, { store: redisStore(client, { prefix: "p", deadline: 10_000 }) });

test.each(NAMES)("a key of a %s never expires before it equals a fresh one", async (limit) => {
  const limiter = open();
  for (let taken = 0; taken < 60; taken++) {
    // Alone, and twice in one request, which is another way through the script.
    const twice = () => limiter.limit(limit, { key: "k" });
    const [, { resetAfter }] = await Promise.all([
      twice(),
      taken % 2 ? twice() : limiter.check(limit),
    ]);
    const left = await client.pttl(`p:{1=k}:${limit}`);
    const { resetAfter: needed } =
      taken % 2 ? { resetAfter } : await limiter.value(limit, { key: "k" });
    // What has passed since the answer was made.
    expect(left).toBeGreaterThanOrEqual(needed - 10_000);
  }
});

test.each(NAMES)("most units of a %s leave its key's time as it is", async (limit) => {
  const limiter = open();
  await limiter.limit(limit, { key: "k" });
  await using commands = await monitored(client);
  for (let taken = 0; taken < 50; taken++) await limiter.limit(limit, { key: "k" });
  const names = (await commands.take()).map(([name]) => name);
  const kept = names.filter((name) => name === "SET").length;
  const set = names.filter((name) => name === "PSETEX").length;
  expect(kept + set).toBe(50);
  // A window's key is kept until its end, which could come now.
  expect(set).toBeLessThanOrEqual(limit === "bucket" || limit === "queue" ? 16 : 1);
});

test.each(["bucket", "queue"] as const)(
  "a value of a %s as earlier versions wrote it is read, and its key gets a new time",
  async (limit) => {
    const limiter = open();
    const name = `p:{1=k}:${limit}`;
    await limiter.limit(limit, { key: "k" });
    const value = (await client.getBuffer(name)) as Buffer;
    // They wrote no instant behind the numbers, and kept the key for no longer than needed.
    await client.set(name, value.subarray(0, -6), "PX", 100_000);
    const { remaining, resetAfter } = await limiter.limit(limit, { key: "k" });
    expect(remaining).toBe(998);
    expect(await client.pttl(name)).toBeGreaterThan(resetAfter - 10_000);
    expect((await client.getBuffer(name))?.length).toBe(value.length);
  },
);

test("a reservation beyond a window makes its key stay for longer", async () => {
  const limiter = open();
  await limiter.limit("window", { key: "k" });
  await limiter.limit("window", { key: "k", count: 2000, reserve: true });
  await limiter.limit("window", { key: "k" });
  const { resetAfter } = await limiter.value("window", { key: "k" });
  expect(resetAfter).toBeGreaterThan(12 * 3_600_000);
  expect(await client.pttl("p:{1=k}:window")).toBeGreaterThan(resetAfter - 10_000);
});

test.each(["window", "blurred"] as const)(
  "from one %s to the next, a key is kept for what it has used since",
  async (limit) => {
    const short = { ...LIMITS[limit], period: 25, rate: 1_000_000 } as const;
    const store = redisStore(client, { prefix: "short", deadline: 10_000 });
    const limiter = new RateLimiter({ it: short as typeof short & { rate: number } }, { store });
    for (let taken = 0; taken < 500; taken++) {
      const asked = performance.now();
      const { resetAfter } = await limiter.limit("it", { key: "k" });
      const left = await client.pttl("short:{1=k}:it");
      const passed = performance.now() - asked;
      // Gone, or kept for long enough: what has passed since the answer was made.
      if (left >= 0 || passed < resetAfter)
        expect(left).toBeGreaterThanOrEqual(resetAfter - passed - 1);
    }
  },
);

test("a release leaves the time of a key, which is kept until the newest lease would end", async () => {
  const limits = { jobs: { kind: "concurrency", capacity: 9, ttl: "12h" } } as const;
  const limiter = new RateLimiter(limits, {
    store: redisStore(client, { prefix: "p", deadline: 10_000 }),
  });
  const take = () => limiter.acquire("jobs", { key: "k" });
  const leases = [await take(), await take(), await take()];
  await using commands = await monitored(client);
  for (const lease of [leases[2], leases[0]]) {
    await lease?.release();
    const { resetAfter } = await limiter.value("jobs", { key: "k" });
    expect(resetAfter).toBeGreaterThan(11 * 3_600_000);
    // What has passed since the answer was made.
    expect(await client.pttl("p:{1=k}:jobs")).toBeGreaterThanOrEqual(resetAfter - 10_000);
  }
  await leases[1]?.renew();
  await leases[1]?.release();
  const writes = (await commands.take()).filter(([verb]) =>
    ["SET", "PSETEX", "DEL"].includes(verb ?? ""),
  );
  const options = writes.map(([verb, , , option]) => [verb, option]);
  expect(options).toEqual([
    ["SET", "KEEPTTL"],
    ["SET", "KEEPTTL"],
    ["SET", "PX"],
    ["DEL", undefined],
  ]);
});
