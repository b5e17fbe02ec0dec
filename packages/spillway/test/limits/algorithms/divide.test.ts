import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { divide, divideUnits } from "../../../src/limits/algorithms/divide.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Limit } from "../../../src/limits/core/index.ts";

const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 7 });
const units = fc.nat(1_000_000_000);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Limits of each kind that can be divided, with debts and without. */
const limits = fc
  .record({
    kind: fc.constantFrom("token bucket", "fixed window", "sliding window", "sliding log"),
    rate: fc.integer({ min: 1, max: 10_000 }),
    period: fc.integer({ min: 1, max: 100_000 }),
    capacity: fc.nat(10_000),
    maxReserved: fc.option(fc.nat(1000), { nil: undefined }),
  })
  .map(({ capacity, maxReserved, ...limit }): Limit => {
    if (limit.kind.startsWith("sliding")) return limit as Limit;
    return { ...limit, capacity, ...(maxReserved !== undefined && { maxReserved }) } as Limit;
  });

describe("whole units that are divided", () => {
  test("add up exactly, each less than one unit from its fraction", () => {
    fc.assert(
      fc.property(units, weights, (count, weights) => {
        const parts = divideUnits(count, weights);
        expect(sum(parts)).toBe(count);
        for (const [index, part] of parts.entries()) {
          const fraction = (count * (weights[index] as number)) / sum(weights);
          expect(Math.abs(part - fraction)).toBeLessThan(1);
        }
      }),
    );
  });

  test("are none of them below 0, and no fewer for more weight", () => {
    fc.assert(
      fc.property(units, weights, (count, weights) => {
        const parts = divideUnits(count, weights);
        const heaviest = [...weights.keys()].sort(
          (one, other) => (weights[other] as number) - (weights[one] as number) || one - other,
        );
        const ordered = heaviest.map((index) => parts[index] as number);
        expect(ordered).toEqual(ordered.toSorted((one, other) => other - one));
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test("differ by one unit at most where weights are equal, and the first parts have more", () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 100 }), (count, size) => {
        const parts = divideUnits(count, new Array<number>(size).fill(1));
        expect((parts[0] as number) - (parts.at(-1) as number)).toBeLessThanOrEqual(1);
        expect(parts).toEqual(parts.toSorted((one, other) => other - one));
      }),
    );
  });
});

describe("a limit that is divided", () => {
  test("in whole units has parts whose rates, capacities and debts add up, in its own period", () => {
    fc.assert(
      fc.property(limits, weights, (limit, weights) => {
        const plan = planFor("it", limit);
        const parts = divide(plan, weights, { rates: "whole" }) ?? [];
        expect(parts.map(({ period }) => period)).toEqual(weights.map(() => plan.period));
        for (const field of ["rate", "capacity", "maxReserved"] as const) {
          expect(sum(parts.map((part) => part[field]))).toBe(plan[field]);
        }
      }),
    );
  });

  test("exactly has rates that add up as fractions in lowest terms, where it drips", () => {
    fc.assert(
      fc.property(limits, weights, (limit, weights) => {
        const plan = planFor("it", limit);
        const parts = divide(plan, weights, { rates: "exact" }) ?? [];
        if (plan.refillPerMs === 0) {
          expect(parts).toEqual(divide(plan, weights, { rates: "whole" }));
          return;
        }
        const all = BigInt(sum(weights));
        for (const [index, { rate, period }] of parts.entries()) {
          const weight = BigInt(weights[index] as number);
          expect(BigInt(rate) * BigInt(plan.period) * all).toBe(
            BigInt(plan.rate) * weight * BigInt(period),
          );
          expect(divisorsOf(rate, period)).toBe(1);
        }
      }),
    );
  });

  test("exactly has no parts where a period would be too long", () => {
    const plan = planFor("it", { kind: "token bucket", rate: 7, period: "366d" });
    expect(divide(plan, [1, 1, 1], { rates: "exact" })).toBe(undefined);
    expect(divide(plan, [1, 1, 1], { rates: "whole" })?.map(({ rate }) => rate)).toEqual([3, 2, 2]);
  });
});

function divisorsOf(one: number, other: number): number {
  return other === 0 ? one : divisorsOf(other, one % other);
}
