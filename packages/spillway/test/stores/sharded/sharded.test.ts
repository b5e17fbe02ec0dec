import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { DAY, LONGEST_TIMER, type Rate } from "../../../src/limits/core/index.ts";
import { type Executor, resilient, sharded } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";

const KINDS = ["token bucket", "fixed window", "sliding window", "sliding log"] as const;

const limits = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    rate: fc.integer({ min: 1, max: 40 }),
    period: fc.integer({ min: 1, max: 5000 }),
    shards: fc.integer({ min: 1, max: 12 }),
  })
  .map(({ shards, ...limit }) => ({ ...limit, shards: Math.min(shards, limit.rate) }) as Rate);

function setUp(limit: Rate, seed = 1) {
  const clock = manualClock();
  const store = sharded(memoryStore({ clock }), seededRandom(seed));
  return {
    clock,
    limiter: new RateLimiter({ it: limit }, { store, warn() {} }),
  };
}

describe("a limit in shards", () => {
  test("admits exactly its capacity at one instant, whatever counts it is asked in", () => {
    fc.assert(
      fc.property(
        limits,
        fc.array(fc.integer({ min: 1, max: 9 })),
        fc.nat(),
        (limit, counts, seed) => {
          const { limiter } = setUp(limit, seed);
          let left = limit.rate;
          for (const count of counts) {
            const { ok } = limiter.limit("it", { key: "k", count });
            expect(ok).toBe(count <= left);
            if (ok) left -= count;
            expect(limiter.value("it", { key: "k" }).remaining).toBe(left);
          }
        },
      ),
    );
  });

  test("admits over a long time no less than its shards' fractions short of one budget", () => {
    const limit: Rate = { kind: "token bucket", rate: 100, period: 1000, shards: 10 };
    const { limiter, clock } = setUp(limit);
    let admitted = 0;
    for (let ms = 0; ms < 10_000; ms += 7) {
      while (limiter.limit("it").ok) admitted++;
      clock.advance(7);
    }
    expect(admitted).toBeLessThanOrEqual(1100);
    expect(admitted).toBeGreaterThan(1100 - 10 - 1);
  });

  test("reserves what all shards together may owe, and no more", () => {
    const limit: Rate = {
      kind: "token bucket",
      rate: 10,
      period: 1000,
      maxReserved: 20,
      shards: 5,
    };
    const { limiter } = setUp(limit);
    const ahead = { count: 10, reserve: true };
    expect(limiter.limit("it", ahead)).toMatchObject({ ok: true, retryAfter: 0 });
    expect(limiter.limit("it", ahead)).toMatchObject({ ok: true, retryAfter: 1000 });
    expect(limiter.limit("it", ahead)).toMatchObject({ ok: true, retryAfter: 2000 });
    expect(limiter.value("it")).toMatchObject({ remaining: 0, reserved: 20 });
    expect(limiter.limit("it", ahead)).toMatchObject({ ok: false, retryAfter: 1000 });
  });

  test("reserves nothing ahead of time while another shard has it now", () => {
    const { limiter } = setUp({ kind: "token bucket", rate: 10, period: 1000, shards: 5 });
    for (let unit = 0; unit < 10; unit++) {
      expect(limiter.limit("it", { reserve: true })).toMatchObject({ ok: true, retryAfter: 0 });
    }
    expect(limiter.limit("it", { reserve: true }).retryAfter).toBeGreaterThan(0);
  });

  test("without maxReserved is reserved from as far ahead as timers go, all shards together", () => {
    const { limiter } = setUp({ kind: "token bucket", rate: 4, period: 4, shards: 4 });
    for (const count of [1e9, 1e9, LONGEST_TIMER - 2e9 + 1]) {
      expect(limiter.limit("it", { count, reserve: true }).ok).toBe(true);
    }
    expect(limiter.limit("it", { reserve: true })).toMatchObject({ ok: false, retryAfter: 1 });
  });

  test("answers in the end, however deep the debt", () => {
    const windows = Math.floor(2 ** 52 / (12 * DAY));
    const maxReserved = 8 * (windows - 1);
    const { limiter } = setUp({
      kind: "fixed window",
      rate: 8,
      period: "12d",
      maxReserved,
      shards: 4,
    });
    expect(limiter.limit("it", { count: 8 * windows, reserve: true }).ok).toBe(true);
    expect(limiter.check("it")).toMatchObject({ ok: false });
  });

  test("charges more than was estimated where there is something left", () => {
    const { limiter } = setUp({ kind: "token bucket", rate: 20, period: "1h", shards: 2 });
    limiter.limit("it", { count: 10 });
    const value = limiter.settle("it", { reserved: 10, used: 15 });
    expect(value).toMatchObject({ remaining: 5, reserved: 0 });
  });

  test("settles with the shards that owe it", () => {
    const { limiter } = setUp({ kind: "fixed window", rate: 100, period: "1h", shards: 10 });
    limiter.limit("it", { count: 80 });
    expect(limiter.settle("it", { reserved: 80, used: 5 })).toMatchObject({ remaining: 95 });
    expect(limiter.settle("it", { reserved: 80, used: 5 })).toMatchObject({ remaining: 95 });
    expect(limiter.settle("it", { reserved: 0, used: 120 })).toMatchObject({ remaining: 0 });
  });

  test("is blocked, unblocked and reset as one", () => {
    const { limiter, clock } = setUp({ kind: "token bucket", rate: 10, period: "1m", shards: 10 });
    limiter.block("it", { for: "10s" });
    expect(limiter.limit("it")).toMatchObject({ ok: false, reason: "blocked", retryAfter: 10_000 });
    expect(limiter.value("it")).toMatchObject({ blockedFor: 10_000, remaining: 10 });
    limiter.unblock("it");
    for (let unit = 0; unit < 10; unit++) expect(limiter.limit("it").ok).toBe(true);
    expect(limiter.limit("it").ok).toBe(false);
    limiter.reset("it");
    expect(limiter.value("it")).toMatchObject({ remaining: 10, resetAfter: 0 });
    clock.advance(1);
  });

  test("is taken with others, all or none", () => {
    const clock = manualClock();
    const limiter = new RateLimiter(
      {
        hot: { kind: "token bucket", rate: 10, period: "1m", shards: 5 },
        cold: { kind: "fixed window", rate: 5, period: "1m", start: 0 },
      },
      { store: sharded(memoryStore({ clock }), seededRandom(1)) },
    );
    const both = (count: number) => limiter.limitAll([{ limit: "hot", count }, { limit: "cold" }]);
    expect(both(7)).toMatchObject({ ok: true, refused: [] });
    expect(both(7)).toMatchObject({ ok: false, refused: ["hot"], retryAfter: 30_000 });
    expect(limiter.value("cold").remaining).toBe(4);
    for (let unit = 0; unit < 3; unit++) expect(both(1).ok).toBe(true);
    limiter.limit("cold");
    limiter.reset("hot");
    expect(both(1)).toMatchObject({ ok: false, refused: ["cold"] });
    expect(limiter.value("hot").remaining).toBe(10);
  });

  test("tells an exact wait, and a check answers what limit does", () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 1, max: 9 }), fc.nat(), (limit, count, seed) => {
        const { limiter, clock } = setUp(limit, seed);
        for (let step = 0; step < 8; step++) {
          clock.advance(Math.floor(Number(limit.period) / 7));
          while (limiter.limit("it", { key: "k", count }).ok);
          const { retryAfter, reason } = limiter.check("it", { key: "k", count });
          if (reason === "too large") {
            expect(count).toBeGreaterThan(limit.rate);
            return;
          }
          clock.advance(retryAfter - 1);
          expect(limiter.check("it", { key: "k", count }).ok).toBe(false);
          clock.advance(1);
          expect(limiter.check("it", { key: "k", count }).ok).toBe(true);
        }
      }),
    );
  });
});

test.each(["now", "later"] as const)(
  "%s: where the others can't be seen, the limit decides",
  async (timing) => {
    const memory = memoryStore({ clock: manualClock() });
    const executor: Executor = {
      timing,
      name: "map",
      execute([command]) {
        if (command?.verb === "peek") throw new Error("away");
        const outcomes = [{ answer: memory.execute(command as never) }];
        return timing === "now" ? outcomes : (Promise.resolve(outcomes) as never);
      },
    };
    const limit: Rate = {
      kind: "token bucket",
      rate: 2,
      period: DAY,
      shards: 2,
      whenUnavailable: "open",
    };
    const store = sharded(resilient(executor), seededRandom(1));
    const limiter = new RateLimiter({ it: limit }, { store, warn() {} });
    expect(await limiter.limit("it", { count: 2 })).toMatchObject({ ok: true, degraded: true });
    await expect(async () => await limiter.value("it")).rejects.toThrow(/an answer to `peek`/);
  },
);
