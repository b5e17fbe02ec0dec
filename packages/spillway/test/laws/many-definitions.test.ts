/** Law 10 for any number of definitions of one limit, also for more than a store keeps apart. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { RateLimiter } from "../../src/limiter/index.ts";
import type { Limit } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { admitsNoMoreThanApart } from "../../src/testing/turns.ts";
import { runs } from "../runs.ts";
import { ALL, smallLimit, turns } from "./small-definitions.ts";

const many = fc.array(fc.constantFrom(...ALL).chain(smallLimit), { minLength: 5, maxLength: 24 });
const pause = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.nat(30) },
  { weight: 1, arbitrary: fc.nat(5000) },
);
const count = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 14 }));

test("each admits only what it would admit alone", async () => {
  await fc.assert(
    fc.asyncProperty(many, turns(pause, count), async (limits, drawn) => {
      const clock = manualClock();
      const all = drawn.map((turn) => ({ ...turn, which: turn.which % limits.length }));
      await admitsNoMoreThanApart({ store: memoryStore({ clock }), clock, limits, turns: all });
    }),
    { numRuns: runs(1500) },
  );
});

test.each([5, 9, 20])("%i at one instant admit what they would apart", (size) => {
  const clock = manualClock();
  const store = memoryStore({ clock });
  const rates = Array.from({ length: size }, (_, place) => (place === 0 ? 1 : 20 * place));
  const limiters = rates.map((rate) => {
    const it: Limit = { kind: "token bucket", rate, period: "1h" };
    return new RateLimiter({ it }, { store, warn: () => {} });
  });
  let admitted = 0;
  for (let round = 0; round < 5; round++) {
    for (const limiter of limiters) while (limiter.limit("it", { key: "k" }).ok) admitted++;
  }
  expect(admitted).toBeLessThanOrEqual(rates.reduce((all, rate) => all + rate, 0));
  expect(admitted).toBeGreaterThanOrEqual(Math.max(...rates));
});
