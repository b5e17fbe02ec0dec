/** Law 9: forgetting is safe, and what cannot be kept is counted. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Limit, RateLimiter } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { anyLimit, bench, fitted, KINDS, steps } from "./arbitrary.ts";

const HOURLY: { readonly [kind: string]: Limit } = Object.fromEntries(
  KINDS.map((kind) => [kind, { kind, rate: 5, period: "1h" } as Limit]),
);

function crowded(limit: Limit, maxKeys: number) {
  const clock = manualClock();
  const store = memoryStore({ clock, maxKeys, warn: () => {} });
  return { clock, store, limiter: new RateLimiter({ it: limit }, { store }) };
}

describe("law 9: forgetting is safe", () => {
  test.each(KINDS)("a spray of keys never lets a refused one in again: %s", (kind) => {
    for (const count of [1, 5]) {
      const { clock, store, limiter } = crowded(HOURLY[kind] as Limit, 100);
      limiter.limit("it", { key: "victim", count: 5 });
      const { retryAfter } = limiter.check("it", { key: "victim" });
      for (let i = 0; i < 20_000; i++) {
        if (i % 100 === 0) clock.advance(Math.min(1, Math.floor(retryAfter / 400)));
        limiter.limit("it", { key: `spray ${i}`, count });
        if (i % 500 === 0) expect(limiter.limit("it", { key: "victim" }).ok).toBe(false);
      }
      expect(store.stats().keys).toBeLessThanOrEqual(100);
      expect(store.stats().evicted).toBeGreaterThan(0);
    }
  });

  test("nor a blocked one", () => {
    const { limiter } = crowded(HOURLY["token bucket"] as Limit, 50);
    limiter.block("it", { key: "banned", for: "1h" });
    for (let i = 0; i < 5000; i++) limiter.limit("it", { key: `spray ${i}`, count: 5 });
    expect(limiter.limit("it", { key: "banned" }).ok).toBe(false);
  });

  test("nor one that is settled or blocked for a moment after it was forgotten", () => {
    const { limiter, store } = crowded(HOURLY["token bucket"] as Limit, 100);
    for (let i = 0; i < 2000; i++) limiter.limit("it", { key: `spray ${i}`, count: 5 });
    expect(store.stats().evicted).toBeGreaterThan(0);
    for (let i = 0; i < 2000; i++) {
      const key = `spray ${i}`;
      if (i % 2 === 0) limiter.settle("it", { key, reserved: 5, used: 5 + (i % 4) });
      else limiter.block("it", { key, for: 1 });
      expect(limiter.check("it", { key }).retryAfter).toBeGreaterThan(60_000);
    }
  });

  test("the eviction guard goes back with the clock", () => {
    const { limiter, clock } = crowded(HOURLY["token bucket"] as Limit, 50);
    for (let i = 0; i < 500; i++) limiter.limit("it", { key: `spray ${i}`, count: 5 });
    clock.advance(-30 * 86_400_000);
    for (let i = 0; i < 500; i++) {
      const { ok, retryAfter } = limiter.limit("it", { key: `spray ${i}` });
      expect(ok).toBe(false);
      expect(retryAfter).toBeLessThanOrEqual(3_600_000);
    }
  });

  test("limits by the thousand leave nothing behind", () => {
    const { limiter, store } = crowded(HOURLY["token bucket"] as Limit, 50);
    const config = HOURLY["token bucket"] as Limit;
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 5000; i++) limiter.limit(`limit ${i}`, { key: "k", count: 5, config });
    expect(store.stats().keys).toBe(50);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
  });

  test("asks taken together are all charged, though one makes the other's key go", () => {
    const { limiter, store } = crowded(HOURLY["token bucket"] as Limit, 1);
    const config = HOURLY["token bucket"] as Limit;
    const both = [
      { limit: "one", key: "a", count: 5, config },
      { limit: "two", key: "b", count: 5, config },
    ];
    expect(limiter.limitAll(both)).toMatchObject({ ok: true, refused: [] });
    expect(limiter.limitAll(both)).toMatchObject({ ok: false });
    expect(store.stats().keys).toBe(1);
  });

  test("with blocks alone, the forgotten ones stay refused", () => {
    const { limiter } = crowded(HOURLY["token bucket"] as Limit, 50);
    for (let i = 0; i < 500; i++) limiter.block("it", { key: `banned ${i}`, for: "1h" });
    for (let i = 0; i < 500; i++) {
      expect(limiter.limit("it", { key: `banned ${i}` }).ok).toBe(false);
    }
  });

  test("keys that used little make room before keys that used much", () => {
    const { limiter } = crowded(HOURLY["token bucket"] as Limit, 64);
    for (let i = 0; i < 16; i++) limiter.limit("it", { key: `much ${i}`, count: 4 });
    for (let i = 0; i < 1000; i++) limiter.limit("it", { key: `little ${i}` });
    const kept = Array.from({ length: 16 }, (_, i) => limiter.value("it", { key: `much ${i}` }));
    expect(kept.filter(({ remaining }) => remaining === 1).length).toBe(16);
  });

  test("keys that are fresh again are dropped while others come, without being asked for", () => {
    const { clock, store, limiter } = crowded(HOURLY["token bucket"] as Limit, 10_000);
    for (let i = 0; i < 1000; i++) limiter.limit("it", { key: `early ${i}` });
    clock.advance(2 * 3_600_000);
    for (let i = 0; i < 1000; i++) limiter.limit("it", { key: `late ${i}` });
    expect(store.stats().keys).toBeLessThanOrEqual(1150);
    expect(store.stats()).toMatchObject({ evicted: 0, turnedAway: 0 });
  });

  test("a key that is fresh again but was asked for lately stays where there is room", () => {
    const { clock, store, limiter } = crowded(HOURLY["token bucket"] as Limit, 10);
    limiter.limit("it", { key: "busy" });
    clock.advance(12 * 60_000);
    limiter.limit("it", { key: "other" });
    expect(store.stats().keys).toBe(2);
  });

  test("a key without a lease stays for a moment after the last, and no longer", () => {
    const { clock, store, limiter } = crowded(
      { kind: "concurrency", capacity: 1, ttl: "1h" },
      1000,
    );
    const lendTo = (name: string) => {
      for (let i = 0; i < 50; i++) limiter.acquire("it", { key: `${name} ${i}` }).release();
    };
    lendTo("early");
    clock.advance(999);
    lendTo("early");
    expect(store.stats().keys).toBe(50);
    clock.advance(1000);
    lendTo("late");
    expect(store.stats()).toMatchObject({ keys: 50, evicted: 0 });
  });

  test("and makes room uncounted where there is none", () => {
    const { clock, store, limiter } = crowded(HOURLY["token bucket"] as Limit, 10);
    for (let i = 0; i < 10; i++) limiter.limit("it", { key: `early ${i}` });
    clock.advance(12 * 60_000);
    for (let i = 0; i < 10; i++) limiter.limit("it", { key: `late ${i}` });
    expect(store.stats()).toMatchObject({ keys: 10, evicted: 0 });
  });

  test("a key that only asks takes no room", () => {
    const { store, limiter } = crowded(HOURLY["token bucket"] as Limit, 1000);
    for (let i = 0; i < 100; i++) {
      limiter.check("it", { key: `check ${i}` });
      limiter.limit("it", { key: `too large ${i}`, count: 6 });
      limiter.value("it", { key: `value ${i}` });
      limiter.reset("it", { key: `reset ${i}` });
    }
    expect(store.stats().keys).toBe(0);
  });

  test("a store with room to spare and one that keeps dropping fresh keys answer alike", () => {
    fc.assert(
      fc.property(anyLimit, steps, (limit, asks) => {
        const [spacious, tidy] = [bench(limit), bench(limit)];
        for (const [index, step] of asks.entries()) {
          const { ms, ask } = fitted(step, spacious.plan);
          for (const { clock } of [spacious, tidy]) clock.advance(ms);
          // New keys make the store look for what can be dropped; they are gone before they matter.
          for (let i = 0; i < 9; i++) tidy.limiter.limit("it", { key: `${index} ${i}` });
          expect(tidy.limiter.limit("it", ask)).toEqual(spacious.limiter.limit("it", ask));
        }
      }),
    );
  });
});

test("a sliding log under attack keeps no more entries than it admits", () => {
  const { limiter, clock, store } = crowded({ kind: "sliding log", rate: 3, period: "1h" }, 10);
  for (let i = 0; i < 100_000; i++) {
    clock.advance(i % 2);
    limiter.limit("it", { key: "attacker" });
  }
  limiter.settle("it", { key: "attacker", reserved: 0, used: 100 });
  expect(store.stats().keys).toBe(1);
  expect(limiter.limit("it", { key: "attacker" }).retryAfter).toBeLessThanOrEqual(3_600_000);
});
