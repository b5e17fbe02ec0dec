/** A small limiter gives the answers of a whole one, and the vectors'. */
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/index.ts";
import { limiter } from "../../../src/limiter/small/index.ts";
import type { Rate, RateKind } from "../../../src/limits/core/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock, seededRandom, vectors } from "../../../src/testing/index.ts";
import { sampleAsk, sampleLimit, samplePause, whole } from "../../../src/testing/sample.ts";
import { FIRST_SEED, runs } from "../../runs.ts";
import { SMALL_KINDS, smallOf } from "./scene.ts";

const START = Date.UTC(2026, 0, 1);

describe("every vector", () => {
  const ofRates = vectors.filter(({ limit }) => SMALL_KINDS.includes(limit.kind as RateKind));

  test("of five kinds is here", () => {
    expect(new Set(ofRates.map(({ limit }) => limit.kind)).size).toBe(5);
  });

  test.each(ofRates)("$name", ({ limit, rows }) => {
    const clock = manualClock(START);
    const limits = limiter({ ask: smallOf(limit) }, { clock });
    for (const { at, count = 1, reserve = false, ...expected } of rows) {
      clock.set(START + at);
      const options = { key: "k", count, reserve };
      expect(limits.check("ask", options)).toMatchObject(expected);
      expect(limits.limit("ask", options)).toMatchObject(expected);
    }
  });
});

const seeds = Array.from({ length: runs(60) }, (_, index) => FIRST_SEED + index + 1);

test.each(seeds)("random calls get the same answers from both, seed %i", (seed) => {
  const random = seededRandom(seed);
  const limit: Rate = sampleLimit(random);
  const clock = manualClock(START);
  const maxKeys = random() < 0.3 ? 2 : 1000;
  const small = limiter({ ask: smallOf(limit) }, { clock, maxKeys });
  const store = memoryStore({ clock, maxKeys, warn: () => {} });
  const large = new RateLimiter({ ask: limit }, { store });
  for (let step = 0; step < 120; step++) {
    const key = `k${whole(random, { low: 0, high: 3 })}`;
    const call = random();
    const ask = { key, ...sampleAsk(random, limit) };
    const back = random() < 0.1 ? whole(random, { low: 0, high: 2 * Number(limit.period) }) : 0;
    clock.set(clock() + samplePause(random, limit) - back);
    if (call < 0.6) expect(small.limit("ask", ask)).toEqual(large.limit("ask", ask));
    else if (call < 0.8) expect(small.check("ask", ask)).toEqual(large.check("ask", ask));
    else if (call < 0.9) expect(small.value("ask", { key })).toEqual(large.value("ask", { key }));
    else if (call < 0.94) expect(small.reset("ask", { key })).toBe(large.reset("ask", { key }));
    else if (call < 0.97) {
      const options = { key, for: whole(random, { low: 1, high: 500 }) };
      expect(small.block("ask", options)).toBe(large.block("ask", options));
    } else expect(small.unblock("ask", { key })).toBe(large.unblock("ask", { key }));
    if (maxKeys > 2) expect(small.stats()).toEqual(store.stats());
  }
});

test("a decision has the fields of a whole limiter's, in their order", () => {
  const clock = manualClock();
  const limit = { kind: "token bucket", rate: 1, period: "1m" } as const;
  const small = limiter({ ask: smallOf(limit) }, { clock });
  const large = new RateLimiter({ ask: limit }, { store: memoryStore({ clock }) });
  for (let call = 0; call < 2; call++) {
    const [one, other] = [small.limit("ask"), large.limit("ask")];
    expect(Object.keys(one)).toEqual(Object.keys(other));
  }
});

test("a flood of new keys does not un-limit an old one", () => {
  const clock = manualClock();
  const limits = limiter(
    { ask: smallOf({ kind: "fixed window", rate: 1, period: "1h", start: 0 }) },
    { clock, maxKeys: 10 },
  );
  expect(limits.limit("ask", { key: "old" }).ok).toBe(true);
  for (let n = 0; n < 1000; n++) limits.limit("ask", { key: `new ${n}` });
  expect(limits.limit("ask", { key: "old" }).ok).toBe(false);
  expect(limits.stats().evicted).toBeGreaterThan(0);
  expect(limits.stats().keys).toBeLessThanOrEqual(10);
});

test("keys of any length are apart, and not those of a digest", () => {
  const limits = limiter(
    { ask: smallOf({ kind: "token bucket", rate: 1, period: "1h" }) },
    { clock: manualClock() },
  );
  const long = "x".repeat(10_000);
  for (const key of [long, `${long}y`, "sha256:", "", "🙂"]) {
    expect(limits.limit("ask", { key }).ok).toBe(true);
    expect(limits.limit("ask", { key }).ok).toBe(false);
  }
  expect(limits.limit("ask").ok).toBe(true);
});
