import { describe, expect, test } from "vitest";
import { memoryStore } from "../src/stores/memory/index.ts";
import { conformance, manualClock, seededRandom } from "../src/testing/index.ts";

describe("the conformance suite", () => {
  const cases = conformance((clock) => memoryStore({ clock }));

  test("has a name of its own for every case", () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  test.each([
    ["admits one too many", { ok: true }],
    ["waits a millisecond too long", { retryAfter: 1_000_001 }],
    ["shows a unit too many", { remaining: 77 }],
  ])("finds a store that %s", async (_, wrong) => {
    const broken = conformance((clock) => {
      const store = memoryStore({ clock });
      const limit = store.limit.bind(store);
      let calls = 0;
      store.limit = (ask) => (++calls % 3 === 0 ? { ...limit(ask), ...wrong } : limit(ask));
      return store;
    });
    const outcomes = await Promise.allSettled(broken.map(({ run }) => run()));
    expect(outcomes.some(({ status }) => status === "rejected")).toBe(true);
  });
});

test("a manual clock moves only when told", () => {
  const clock = manualClock(1000);
  clock.advance(5);
  expect(clock()).toBe(1005);
  clock.set(7);
  expect(clock()).toBe(7);
});

test("seeded chance repeats itself and fills the range", () => {
  const draw = (seed: number) => Array.from({ length: 1000 }, seededRandom(seed));
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(Math.min(...draw(3))).toBeGreaterThanOrEqual(0);
  expect(Math.max(...draw(3))).toBeLessThan(1);
  expect(Math.max(...draw(3)) - Math.min(...draw(3))).toBeGreaterThan(0.9);
});
