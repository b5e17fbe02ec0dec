import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Limit } from "../../../src/limits/core/index.ts";
import { partPlans } from "../../../src/stores/regions/parts.ts";

const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 5 });
const units = fc.integer({ min: 2000, max: 1_000_000 });
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
/** So that each region has a unit, whatever it weighs. */
const large = (count: number) => count * 1000;

describe("the parts of a limit", () => {
  test("of a token bucket have rates that are exact fractions of the rate", () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 100_000 }), weights, (rate, period, weights) => {
        const plan = planFor("it", {
          kind: "token bucket",
          rate,
          period,
          capacity: large(rate) / 1000,
        });
        let [numerator, denominator] = [0n, 1n];
        for (const [index, part] of partPlans(plan, weights, 1000).entries()) {
          const [units, ms] = [BigInt(part.rate), BigInt(part.period)];
          const weight = BigInt(weights[index] as number);
          expect(units * BigInt(period * sum(weights))).toBe(BigInt(rate) * weight * ms);
          numerator = numerator * ms + units * denominator;
          denominator *= ms;
        }
        expect(numerator * BigInt(period)).toBe(BigInt(rate) * denominator);
      }),
    );
  });

  test("of a rate of 10 a second in 2 and 1 are 20 and 10 in three seconds", () => {
    const plan = planFor("it", { kind: "token bucket", rate: 10, period: 1000 });
    const parts = partPlans(plan, [2, 1], 5000);
    const numbers = parts.map(({ rate, period, capacity }) => ({ rate, period, capacity }));
    expect(numbers).toEqual([
      { rate: 1, period: 150, capacity: 7 },
      { rate: 1, period: 300, capacity: 3 },
    ]);
    expect(parts.map(({ share }) => share)).toEqual([5000, 5000]);
  });

  test("of windows and places are whole units; what is held in a window is held for no longer", () => {
    const fixed = planFor("it", { kind: "fixed window", rate: 10, period: 2000, capacity: 17 });
    const seen = partPlans(fixed, [1, 1, 1], 5000);
    expect(seen.map(({ rate }) => rate)).toEqual([4, 3, 3]);
    expect(seen.map(({ capacity }) => capacity)).toEqual([6, 6, 5]);
    expect(seen.map(({ share }) => share)).toEqual([2000, 2000, 2000]);
    const places = planFor("it", { kind: "concurrency", capacity: 5, ttl: 1000 });
    expect(partPlans(places, [2, 1], 5000).map(({ capacity }) => capacity)).toEqual([3, 2]);
  });

  test.each<[Limit, string]>([
    [{ kind: "leaky bucket", rate: 10, period: 1000 }, "kind"],
    [{ kind: "token bucket", rate: 10, period: 1000, capacity: 2 }, "capacity"],
    [{ kind: "fixed window", rate: 2, period: 1000, capacity: 10 }, "rate"],
    [{ kind: "token bucket", rate: 7, period: "366d" }, "rate"],
  ])("%o has none in three regions: its %s", (limit, field) => {
    const plan = planFor("it", limit);
    const make = () => partPlans(plan, [1, 1, 1], 1000);
    expect(make).toThrow(expect.objectContaining({ code: "bad-region", field }));
  });
});
