/** What is drawn by chance has the means and shapes it says. */
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../src/testing/seeded-random.ts";
import {
  type Curve,
  constant,
  exponential,
  fixed,
  lognormal,
  mix,
  ramp,
  scaled,
  simulate,
  spike,
  step,
  sum,
  total,
} from "../../src/testing/simulation/index.ts";

describe("distributions", () => {
  const draw = (distribution: (random: () => number) => number) => {
    const random = seededRandom(7);
    return Array.from({ length: 400_000 }, () => distribution(random));
  };
  const meanOf = (values: readonly number[]) =>
    values.reduce((all, each) => all + each, 0) / values.length;

  test.each([
    ["fixed", fixed(3)],
    ["exponential", exponential(3)],
    ["lognormal", lognormal({ mean: 3 })],
    ["lognormal with little spread", lognormal({ mean: 3, sigma: 0.3 })],
  ])("%s has its mean", (_, distribution) => {
    expect(Math.abs(meanOf(draw(distribution)) / 3 - 1)).toBeLessThan(0.01);
  });

  test("a lognormal one has a heavy tail: 1 % are more than 6 times the mean", () => {
    const above = draw(lognormal({ mean: 3 })).filter((ms) => ms > 3 * 6.21).length;
    expect(above / 4000).toBeCloseTo(1, 1);
  });
});

describe("curves", () => {
  const instants = [0, 99, 100, 150, 199, 200, 300];
  const shapes: readonly [string, Curve, readonly number[]][] = [
    ["constant", constant(2), [2, 2, 2, 2, 2, 2, 2]],
    ["step", step({ from: 1, to: 4, at: 100 }), [1, 1, 4, 4, 4, 4, 4]],
    ["spike", spike({ base: 1, peak: 9, at: 100, lasting: 100 }), [1, 1, 9, 9, 9, 1, 1]],
    ["ramp", ramp({ from: 0, to: 100, start: 100, end: 200 }), [0, 0, 0, 50, 99, 100, 100]],
    ["sum", sum([constant(1), step({ from: 0, to: 1, at: 150 })]), [1, 1, 1, 2, 2, 2, 2]],
    ["scaled", scaled(constant(2), { by: 3 }), [6, 6, 6, 6, 6, 6, 6]],
  ];

  test.each(shapes)("%s", (_, curve, values) => {
    expect(instants.map((ms) => curve.at(ms))).toEqual(values);
    expect(curve.most).toBe(Math.max(...values));
  });
});

describe("arrivals", () => {
  test("follow their rate", async () => {
    const rate = ramp({ from: 0, to: 2000, start: 0, end: 100_000 });
    const { buckets } = await simulate({ duration: 100_000, traffic: [{ rate }] });
    const counts = buckets.map(({ tallies }) => tallies.normal.arrived);
    expect(counts).toHaveLength(100);
    counts.forEach((count, second) => {
      const expected = 20 * (second + 0.5);
      expect(Math.abs(count - expected)).toBeLessThan(4.5 * Math.sqrt(expected));
    });
  });

  test("are as scattered as a Poisson process: the variance is the mean", async () => {
    const { buckets } = await simulate({
      duration: 100_000,
      width: 10,
      traffic: [{ rate: constant(1000) }],
    });
    const counts = buckets.map(({ tallies }) => tallies.normal.arrived);
    const variance = counts.reduce((all, count) => all + (count - 10) ** 2, 0) / counts.length;
    expect(variance).toBeGreaterThan(9.5);
    expect(variance).toBeLessThan(10.5);
  });

  test("end, where the rate falls to 0", async () => {
    const traffic = [{ rate: step({ from: 100, to: 0, at: 500 }) }, { rate: constant(0) }];
    const recording = await simulate({ duration: 10_000, traffic });
    expect(total(recording, { from: 1000 }).arrived).toBe(0);
  });

  test("are divided among routes by weight", async () => {
    const routes = [
      { weight: 3, priority: "critical" },
      { weight: 1, priority: "low" },
    ] as const;
    const recording = await simulate({ duration: 100_000, traffic: mix(constant(400), routes) });
    const [critical, low] = [
      total(recording, { priority: "critical" }).arrived,
      total(recording, { priority: "low" }).arrived,
    ];
    expect(critical / 30_000).toBeCloseTo(1, 1);
    expect(low / 10_000).toBeCloseTo(1, 1);
  });
});
