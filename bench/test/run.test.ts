import { describe, expect, test } from "vitest";
import { interleave, median, quantile } from "../run.ts";

describe("interleave", () => {
  test("takes turns, and counts no warm-up", async () => {
    const turns: string[] = [];
    const contestants = ["one", "other"].map((name) => ({
      name,
      async measure() {
        turns.push(name);
        const isWarmUp = turns.length <= 2;
        return { first: isWarmUp ? 1e9 : 10, second: -1 };
      },
    }));
    const lines: string[] = [];
    const settings = { title: "speed", rounds: 3, progress: (line: string) => lines.push(line) };
    const medians = await interleave(contestants, settings);
    expect(turns.join(" ")).toBe("one other one other one other one other");
    expect(medians.get("one")).toEqual({ first: 10, second: -1 });
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBe("speed, round 3 of 3: one 10.0 / -1.00, other 10.0 / -1.00");
  });
});

test.each([
  { numbers: [3, 1, 2], middle: 2 },
  { numbers: [4, 1, 2, 3], middle: 2.5 },
  { numbers: [7], middle: 7 },
  { numbers: [], middle: Number.NaN },
])("the median of $numbers is $middle", ({ numbers, middle }) => {
  expect(median(numbers)).toBe(middle);
});

test.each([
  { part: 0, least: 1 },
  { part: 0.5, least: 50 },
  { part: 0.99, least: 99 },
  { part: 0.991, least: 100 },
  { part: 1, least: 100 },
])("$part of 100 numbers are at most $least", ({ part, least }) => {
  const numbers = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(quantile(numbers, part)).toBe(least);
});
