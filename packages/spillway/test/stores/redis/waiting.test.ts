/** Those who wait for leases of many keys ask for what others gave back, together. */
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { until } from "../../servers/until.ts";
import { ONCE } from "./clients.ts";
import { ownRedis } from "./own-redis.ts";

const LIMITS = { jobs: { kind: "concurrency", capacity: 1, ttl: "1h" } } as const;
const KEYS = Array.from({ length: 300 }, (_, n) => `${n}`);
/** How often each key is asked for, on average, while requests are counted. */
const TIMES = 20;

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

const limiterOver = (over: Redis) =>
  new RateLimiter(LIMITS, { store: redisStore(over, { deadline: 30_000 }) });

test("a request asks for many of the keys that are waited for", async () => {
  const holder = limiterOver(client);
  await Promise.all(KEYS.map((key) => holder.acquire("jobs", { key })));
  const watched = new Redis(client.options.port as number, ONCE);
  using _closing = { [Symbol.dispose]: () => watched.disconnect() };
  const { evalsha } = watched;
  const asked = { requests: 0, keys: 0 };
  Object.assign(watched, {
    evalsha(...all: Parameters<typeof evalsha>) {
      asked.requests++;
      asked.keys += Number(all[1]);
      return evalsha.apply(watched, all);
    },
  });
  const limiter = limiterOver(watched);
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const waiting = KEYS.map((key) => limiter.acquire("jobs", { key, wait: "1h", signal }));
  const areAsked = () => Promise.resolve(asked.keys >= TIMES * KEYS.length);
  await until(areAsked, { what: "all keys have been asked for many times" });
  giveUp.abort();
  const ended = await Promise.allSettled(waiting);
  expect(ended.every(({ status }) => status === "rejected")).toBe(true);
  expect(asked.keys / asked.requests).toBeGreaterThan(5);
});
