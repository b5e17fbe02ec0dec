/** A memory store at its bound: who is refused for others' sake, and what that takes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../src/index.ts";
import { planFor } from "../../src/limits/algorithms/index.ts";
import type { Budget } from "../../src/limits/core/index.ts";
import { EvictionGuard } from "../../src/stores/memory/eviction-guard.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { keysIn, MOST_KEYS } from "../../src/stores/memory/max-keys.ts";
import { manualClock } from "../../src/testing/index.ts";

const HOUR = 3_600_000;
const plan = planFor("it", { kind: "token bucket", rate: 1, period: HOUR });
const budgetOf = (key: number): Budget => ({ plan, key: `key ${key}` });

function storeOf(maxKeys: number) {
  const clock = manualClock();
  const warnings: string[] = [];
  const store = memoryStore({ clock, maxKeys, warn: (message) => warnings.push(message) });
  const limiter = new RateLimiter(
    { it: { kind: "token bucket", rate: 1, period: HOUR } },
    { store },
  );
  return { clock, warnings, store, limiter };
}

describe.each([1000, 5000])(
  "three times as many banned keys as the %i there is room for",
  (maxKeys) => {
    test("refuse at most one fresh key in a hundred, and none of them is freed", () => {
      const { limiter, store } = storeOf(maxKeys);
      let refused = 0;
      for (let i = 0; i < 3 * maxKeys; i++) {
        if (!limiter.limit("it", { key: `user ${i}` }).ok) refused++;
      }
      expect(store.stats().evicted).toBeGreaterThan(1.9 * maxKeys);
      for (let i = 0; i < 3 * maxKeys; i++) {
        expect(limiter.limit("it", { key: `user ${i}` }).ok).toBe(false);
      }
      for (let i = 0; i < 10_000; i++) {
        if (!limiter.check("it", { key: `stranger ${i}` }).ok) refused++;
      }
      expect(refused / (3 * maxKeys + 10_000)).toBeLessThanOrEqual(0.01);
    });

    test("take at most 10 bytes of the guard for each key of the bound", () => {
      const guard = new EvictionGuard({ maxKeys, seed: 1 });
      expect(guard.bytes).toBe(0);
      for (let i = 0; i < 2 * maxKeys; i++) guard.refuse(budgetOf(i), HOUR, 0);
      expect(guard.bytes).toBeLessThanOrEqual(10 * maxKeys);
    });

    test("refuse nobody any more when their time is over", () => {
      const { limiter, clock } = storeOf(maxKeys);
      for (let i = 0; i < 3 * maxKeys; i++) limiter.limit("it", { key: `user ${i}` });
      clock.advance(HOUR + HOUR / 1000);
      for (let i = 0; i < 3 * maxKeys; i++) {
        expect(limiter.check("it", { key: `user ${i}` }).ok).toBe(true);
      }
    });
  },
);

test("any number of limits share one guard, and their names are told apart", () => {
  const { limiter } = storeOf(1000);
  const config = { kind: "fixed window", rate: 1, period: "30d" } as const;
  for (let i = 0; i < 3000; i++) limiter.limit(`limit ${i}`, { key: "k", config });
  let refused = 0;
  for (let i = 0; i < 3000; i++) {
    expect(limiter.check(`limit ${i}`, { key: "k", config }).ok).toBe(false);
    if (!limiter.check(`limit ${i}`, { key: "other", config }).ok) refused++;
  }
  expect(refused).toBeLessThanOrEqual(30);
});

describe("the eviction guard", () => {
  /** What is refused, whom, for how long; and how much time passes before. */
  const refusal = fc.record({
    key: fc.nat(30),
    ms: fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 366 * 24 * HOUR })),
    pause: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 48 * HOUR })),
  });

  test("refuses for as long as it was asked to, and hardly longer", () => {
    fc.assert(
      fc.property(fc.array(refusal, { maxLength: 40 }), fc.nat(), (refusals, seed) => {
        const guard = new EvictionGuard({ maxKeys: 100, seed });
        const until = new Map<number, number>();
        let [now, longest] = [1_700_000_000_000, 0];
        for (const { key, ms, pause } of refusals) {
          now += pause;
          longest = Math.max(longest, ms);
          guard.refuse(budgetOf(key), ms, now);
          until.set(key, Math.max(until.get(key) ?? 0, now + ms));
          for (const [known, instant] of until) {
            const left = guard.refusedFor(budgetOf(known), now);
            expect(left).toBeGreaterThanOrEqual(Math.max(0, instant - now));
            // An instant is rounded up to a part of the longest, and at most so often as that grows.
            if (instant > now) expect(left).toBeLessThanOrEqual(instant - now + longest / 2 ** 13);
          }
        }
      }),
    );
  });

  test("refuses for ever what never comes back, and goes on telling others apart", () => {
    const guard = new EvictionGuard({ maxKeys: 100, seed: 1 });
    guard.refuse(budgetOf(1), Number.POSITIVE_INFINITY, 0);
    guard.refuse(budgetOf(2), 1000, 0);
    expect(guard.refusedFor(budgetOf(2), 0)).toBe(1000);
    expect(guard.refusedFor(budgetOf(2), 1000)).toBe(0);
    expect(guard.refusedFor(budgetOf(1), 1e15)).toBe(Number.POSITIVE_INFINITY);
  });

  test("frees nobody with more of them than it has room for", () => {
    const guard = new EvictionGuard({ maxKeys: 100, seed: 1 });
    for (let i = 0; i < 10_000; i++) guard.refuse(budgetOf(i), HOUR + i, 0);
    for (let i = 0; i < 10_000; i++) {
      expect(guard.refusedFor(budgetOf(i), 0)).toBeGreaterThanOrEqual(HOUR + i);
    }
    expect(guard.bytes).toBeLessThanOrEqual(1000);
  });

  test("takes another seed for other strangers", () => {
    const strangersOf = (seed: number) => {
      const guard = new EvictionGuard({ maxKeys: 100, seed });
      for (let i = 0; i < 250; i++) guard.refuse(budgetOf(i), HOUR, 0);
      const strangers = Array.from({ length: 2000 }, (_, i) => budgetOf(1000 + i));
      return strangers.flatMap((one) => (guard.refusedFor(one, 0) > 0 ? [one.key] : []));
    };
    expect(strangersOf(1)).not.toEqual(strangersOf(2));
  });
});

describe("maxKeys", () => {
  test("is warned of once, when four of five places are taken", () => {
    const { limiter, warnings } = storeOf(1000);
    for (let i = 0; i < 800; i++) limiter.limit("it", { key: `user ${i}` });
    expect(warnings).toEqual([]);
    for (let i = 800; i < 3000; i++) limiter.limit("it", { key: `user ${i}` });
    expect(warnings).toEqual([expect.stringContaining("80 % of its 1000 keys")]);
  });

  test("follows by default the memory that the runtime allows", () => {
    expect(memoryStore().stats().maxKeys).toBeGreaterThanOrEqual(100_000);
    expect(keysIn(4 * 2 ** 30)).toBe(8 * 2 ** 20);
    expect(keysIn(64 * 2 ** 30)).toBe(MOST_KEYS);
    expect(keysIn(2 ** 20)).toBe(100_000);
    expect(keysIn(0)).toBe(1_000_000);
  });
});
