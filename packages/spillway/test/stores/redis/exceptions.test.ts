/** The register in Redis: its laws, its keys, and how long they stay. */
import fc from "fast-check";
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { LIMITS, listsWhatIsInForce, pagesThroughWhatStays } from "../../laws/exceptions-world.ts";
import { runs } from "../../runs.ts";
import { ownRedis } from "./own-redis.ts";

const DAY = 86_400_000;
const deadline = 10_000;

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

let opened = 0;
const open = (clock: () => number) =>
  new RateLimiter(LIMITS, {
    store: redisStore(client, { clock, prefix: `run-${opened++}`, deadline }),
    warn: () => {},
  });

test("exceptions are listed while they are in force", async () => {
  await fc.assert(listsWhatIsInForce(open, manualClock), { numRuns: runs(25) });
});

test("exceptions are on one page each, if they stay", async () => {
  await fc.assert(pagesThroughWhatStays(open, manualClock), { numRuns: runs(25) });
});

test("the register is in three keys of one slot, which expire with the last entry", async () => {
  const limiter = new RateLimiter(LIMITS, { store: redisStore(client, { deadline }) });
  await limiter.block("api", { key: "k", for: "1h", reason: "scraping" });
  await limiter.override("api", { key: "k", rate: 20, for: "30d" });
  await limiter.block("login", { key: "k", for: "1m" });
  const keys = ["ids", "entries", "ends"].map((part) => `spillway:{exceptions}:${part}`);
  expect((await client.keys("spillway:{exceptions}*")).sort()).toEqual([...keys].sort());
  for (const each of keys) {
    expect(await client.pttl(each)).toBeGreaterThan(29 * DAY);
    expect(await client.pttl(each)).toBeLessThan(31 * DAY);
  }
  const { exceptions } = await limiter.exceptions();
  expect(exceptions.every(({ since }) => Number.isSafeInteger(since) && since > 1e12)).toBe(true);
  await limiter.unblock("login", { key: "k" });
  expect(await client.zcard("spillway:{exceptions}:ids")).toBe(2);
});

test("an entry that something else took away is not listed, and another that can't be read is an error", async () => {
  const limiter = new RateLimiter(LIMITS, { store: redisStore(client, { deadline }) });
  await limiter.block("api", { key: "k", for: "1h" });
  const [id] = (await client.zrange("spillway:{exceptions}:ids", "0", "-1")) as [string];
  await client.hset("spillway:{exceptions}:entries", id, "what?");
  await expect(limiter.exceptions()).rejects.toMatchObject({ code: "unavailable" });
  await client.del("spillway:{exceptions}:entries");
  expect(await limiter.exceptions()).toEqual({ exceptions: [], next: undefined });
});

test("a limit with shards has one entry a key, and its block counts for all of them", async () => {
  const calls = { kind: "token bucket", rate: 100, period: "1m", shards: 8 } as const;
  const limiter = new RateLimiter({ calls }, { store: redisStore(client, { deadline }) });
  await limiter.block("calls", { key: "k", for: "1h", reason: "scraping" });
  const { exceptions } = await limiter.exceptions();
  expect(exceptions).toMatchObject([{ key: "k", type: "block", reason: "scraping" }]);
  await limiter.unblock("calls", { key: "k" });
  expect((await limiter.exceptions()).exceptions).toEqual([]);
});

test("a key is blocked if the register does not answer, and the call says so", async () => {
  const limiter = new RateLimiter(LIMITS, { store: redisStore(client, { deadline }) });
  await client.set("spillway:{exceptions}:ids", "of somebody else");
  const blocked = limiter.block("api", { key: "k", for: "1h" });
  const next = limiter.limit("api", { key: "k" });
  await expect(blocked).rejects.toMatchObject({ code: "unavailable" });
  expect(await next).toMatchObject({ ok: false, reason: "blocked" });
  await client.del("spillway:{exceptions}:ids");
  const ended = limiter.unblock("api", { key: "k" });
  expect(await limiter.limit("api", { key: "k" })).toMatchObject({ ok: true });
  await ended;
});
