/** What Redis keeps of a key whose limit has several definitions. */
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { type Limit, RateLimiter } from "../../../src/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { ownRedis } from "./own-redis.ts";

const SLOW: Limit = { kind: "token bucket", rate: 5, period: "1h" };
const FAST: Limit = { kind: "token bucket", rate: 5, period: 1 };
const LOG: Limit = { kind: "sliding log", rate: 5, period: "1h" };
const key = "k";
const STATE = "p:{1=k}:it";

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

function limiterOf(it: Limit) {
  return new RateLimiter({ it }, { store: redisStore(client, { prefix: "p", deadline: 10_000 }) });
}

test("a key lasts for as long as any definition remembers it", async () => {
  await limiterOf(SLOW).limit("it", { key, count: 5 });
  await limiterOf(FAST).value("it", { key });
  expect(await client.pttl(STATE)).toBeGreaterThan(3_000_000);
  expect(await limiterOf(SLOW).limit("it", { key })).toMatchObject({ ok: false });
});

test("a state grows for a second definition, and no key is added", async () => {
  await limiterOf(LOG).limit("it", { key, count: 2 });
  const alone = await client.strlen(STATE);
  await limiterOf(SLOW).limit("it", { key });
  expect(await client.strlen(STATE)).toBeLessThan(alone + 110);
  expect(await client.keys("*")).toEqual([STATE]);
  expect(await limiterOf(LOG).value("it", { key })).toMatchObject({ remaining: 2 });
});

test("a value that ends in the middle of a second definition is none of ours", async () => {
  await limiterOf(LOG).limit("it", { key, count: 2 });
  await limiterOf(SLOW).limit("it", { key });
  const value = await client.getBuffer(STATE);
  await client.set(STATE, (value as Buffer).subarray(0, -1));
  const limiter = limiterOf(SLOW);
  const [it, another] = await Promise.all([
    limiter.limit("it", { key }),
    limiter.limit("it", { key: "another" }),
  ]);
  expect(it).toMatchObject({ degraded: true });
  // In the same request.
  expect(another).toMatchObject({ ok: true, degraded: undefined });
  expect((await client.getBuffer(STATE))?.length).toBe((value as Buffer).length - 1);
});
