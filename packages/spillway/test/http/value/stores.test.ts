/** A page counts on from what a shared store answers as well. */
import { DatabaseSync } from "node:sqlite";
import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { valueSnapshot, valueSource } from "../../../src/http/value/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Limits, Store, Timing } from "../../../src/limits/core/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { VirtualScheduler } from "../../client/virtual-scheduler.ts";
import { startRedis } from "../../servers/redis-node.ts";

const LIMITS: Limits = {
  "token bucket": { kind: "token bucket", rate: 10, period: "1h" },
  "fixed window": { kind: "fixed window", rate: 10, period: "1h" },
  "sliding window": { kind: "sliding window", rate: 10, period: "1h" },
  "sliding log": { kind: "sliding log", rate: 10, period: "1h" },
  "leaky bucket": { kind: "leaky bucket", rate: 10, period: "1h" },
};

async function isTheSame(store: Store<Timing>): Promise<void> {
  const limiter = new RateLimiter(LIMITS, { store });
  for (const limit of Object.keys(LIMITS)) {
    await limiter.limit(limit, { key: "ada", count: 7 });
    await limiter.limit(limit, { key: "ada", count: 3 });
    const initial = JSON.parse(JSON.stringify(await valueSnapshot(limiter, { limit, key: "ada" })));
    const time = new VirtualScheduler();
    const source = valueSource("/", { initial, scheduler: time });
    expect(source.view()).toMatchObject({ ok: false, remaining: 0, reason: "limited" });
    // Until one unit is back: by the page's arithmetic, and by what the store says a moment later.
    const { retryAfter } = await limiter.check(limit, { key: "ada" });
    expect(source.view().retryAfter - retryAfter).toBeGreaterThanOrEqual(0);
    expect(source.view().retryAfter - retryAfter).toBeLessThan(60_000);
    await time.advance(source.view().retryAfter);
    source.subscribe(() => {})();
    expect(source.view()).toMatchObject({ ok: true });
  }
}

describe("what is left is counted on from", () => {
  test("SQLite", () => isTheSame(sqliteStore(new DatabaseSync(":memory:"))));

  test("Redis", async () => {
    await using redis = await startRedis();
    const client = new Redis(redis.url, { autoResendUnfulfilledCommands: false });
    try {
      // On a machine that is busy an answer takes its time.
      await isTheSame(redisStore(client, { deadline: 10_000 }));
    } finally {
      client.disconnect();
    }
  });
});
