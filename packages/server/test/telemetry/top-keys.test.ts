/** The keys that are asked for most, counted in bounded memory. */
import fc from "fast-check";
import { MINUTE } from "spillway";
import { describe, expect, it } from "vitest";
import { createService } from "../../src/index.ts";
import { KeySketch, mergedCounts } from "../../src/telemetry/index.ts";
import { SpaceSaving } from "../../src/telemetry/keys/space-saving.ts";
import { rulesOf } from "../support/rules.ts";
import { descriptor, START } from "../support/service.ts";
import { SHOP } from "../support/shop.ts";

const keyOf = (name: string) => ({ rule: { name, path: [] }, key: undefined });

const stream = fc.array(fc.tuple(fc.nat({ max: 30 }).map(String), fc.boolean()), {
  maxLength: 400,
});

describe("Space-Saving", () => {
  it("never counts too little, and too much by its error, which is n / m at most", () => {
    fc.assert(
      fc.property(stream, fc.integer({ min: 1, max: 12 }), (items, most) => {
        const sketch = new SpaceSaving(most);
        for (const [item, isMarked] of items) sketch.add(keyOf(item), isMarked);
        const trueCount = (id: string) => items.filter(([item]) => item === id).length;
        const found = sketch.keys().map(({ rule, ...one }) => ({ id: rule.name, ...one }));
        expect(sketch.total).toBe(items.length);
        expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(items.length);
        for (const { id, count, error, marked } of found) {
          expect(error).toBeLessThanOrEqual(items.length / most);
          expect(trueCount(id)).toBeLessThanOrEqual(count);
          expect(trueCount(id)).toBeGreaterThanOrEqual(count - error);
          expect(marked).toBeLessThanOrEqual(
            items.filter(([item, is]) => item === id && is).length,
          );
        }
        const known = new Set(found.map(({ id }) => id));
        for (const [item] of items) {
          if (!known.has(item)) expect(trueCount(item)).toBeLessThanOrEqual(sketch.leastCount);
        }
      }),
    );
  });

  it("keeps those bounds when sketches are merged", () => {
    fc.assert(
      fc.property(fc.array(stream, { minLength: 1, maxLength: 4 }), (streams) => {
        const counts = streams.map((items) => {
          const sketch = new SpaceSaving(5);
          for (const [item] of items) sketch.add(keyOf(item), false);
          const keys = sketch.keys().map(({ rule, count: asks, error, marked: refusals }) => {
            return { limit: rule.name, key: undefined, entries: "", asks, error, refusals };
          });
          return { period: 0, asks: items.length, keys, leastCount: sketch.leastCount };
        });
        const all = streams.flat();
        const merged = mergedCounts(counts);
        expect(merged.asks).toBe(all.length);
        for (const { limit, asks, error } of merged.keys) {
          const count = all.filter(([item]) => item === limit).length;
          expect(count).toBeLessThanOrEqual(asks);
          expect(count).toBeGreaterThanOrEqual(asks - error);
        }
      }),
    );
  });
});

describe("the sketch of a service", () => {
  function counted() {
    const state = { now: START };
    const sketch = new KeySketch();
    const rules = rulesOf(SHOP);
    const service = createService({ rules, clock: () => state.now, onDecided: sketch.note });
    const limit = (...entries: string[]) =>
      service.limit({ domain: "shop", descriptors: [descriptor(...entries)] });
    return { state, sketch, service, limit };
  }

  it("counts requests and refusals by key", async () => {
    const { state, sketch, limit } = counted();
    for (let n = 0; n < 7; n++) await limit("user=ann");
    await limit("user=bob");
    await limit("staff=eve");
    await limit("nobody=x");
    expect(sketch.counts(state.now)).toMatchObject({
      asks: 8,
      keys: [
        { limit: "shop/user", key: "3:ann", entries: "user=ann", asks: 7, refusals: 2, error: 0 },
        { limit: "shop/user", key: "3:bob", entries: "user=bob", asks: 1, refusals: 0 },
      ],
    });
  });

  it("forgets what is two minutes old", async () => {
    const { state, sketch, limit } = counted();
    await limit("user=ann");
    state.now += MINUTE;
    await limit("user=bob");
    expect(sketch.counts(state.now)).toMatchObject({ period: MINUTE, asks: 2 });
    state.now += MINUTE;
    expect(sketch.counts(state.now)).toMatchObject({ period: MINUTE, keys: [{ key: "3:bob" }] });
    state.now += 2 * MINUTE;
    expect(sketch.counts(state.now).keys).toEqual([]);
  });

  it("holds a thousand keys of any number", async () => {
    const { state, sketch, limit } = counted();
    for (let n = 0; n < 3000; n++) {
      await limit(`user=u${n}`);
      if (n % 3 === 0) await limit("user=ann");
    }
    const { keys, asks } = sketch.counts(state.now);
    expect([asks, keys.length]).toEqual([4000, 1000]);
    expect(keys[0]).toMatchObject({ entries: "user=ann" });
    expect(keys[0]?.asks).toBeGreaterThanOrEqual(1000);
  });

  it("shows a key as the entries that lead to it", async () => {
    const sketch = new KeySketch();
    const rules = rulesOf(`
domain: shop
descriptors:
  - key: auth
    value: login
    descriptors:
      - key: user
        rate_limit: { unit: year, requests_per_unit: 5 }
  - key: "path*"
    value: "/a/*"
    rate_limit: { unit: year, requests_per_unit: 5 }
`);
    const service = createService({ rules, clock: () => START, onDecided: sketch.note });
    const descriptors = [descriptor("auth=login", "user=3:ann"), descriptor("path2=/a/b")];
    await service.limit({ domain: "shop", descriptors });
    const shown = sketch.counts(START).keys.map(({ entries }) => entries);
    expect(shown.sort()).toEqual(["auth=login,user=3:ann", "path2=/a/b"]);
  });
});
