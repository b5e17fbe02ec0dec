/** The simulation agrees with what queueing theory knows. */
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../src/testing/seeded-random.ts";
import type { Distribution } from "../../src/testing/simulation/distributions.ts";
import {
  constant,
  cpuShare,
  exponential,
  fixed,
  lognormal,
  Pool,
  type Scenario,
  simulate,
  spike,
  total,
} from "../../src/testing/simulation/index.ts";
import { VirtualTime } from "../../src/testing/simulation/virtual-time.ts";

/** No deadline, and nothing costs anything but the work itself. */
const plain = {
  server: { overhead: 0, refusalCost: 0 },
  client: { deadline: Infinity },
} satisfies Partial<Scenario>;

const seeds = [1, 2, 3];

async function meanLatency(scenario: Omit<Scenario, "server" | "client">) {
  const { latencies } = total(await simulate({ ...scenario, ...plain }));
  return latencies.reduce((sum, each) => sum + each, 0) / latencies.length;
}

/** Of one server with a line: the wait (Pollaczek and Khinchine) and the work, in ms. */
function theory(options: { perMs: number; mean: number; meanSquare: number }): number {
  const { perMs, mean, meanSquare } = options;
  return mean + (perMs * meanSquare) / (2 * (1 - perMs * mean));
}

describe.each(seeds)("with seed %i, the mean latency is that of", (seed) => {
  const rate = constant(600);
  const duration = 400_000;
  const alone: readonly [string, Distribution, number][] = [
    ["M/M/1", exponential(1), 2],
    ["M/D/1", fixed(1), 1],
    ["M/G/1, lognormal", lognormal({ mean: 1, sigma: 0.5 }), Math.exp(0.25)],
  ];

  test.each(alone)("%s, for the process", async (_, cpu, meanSquare) => {
    const expected = theory({ perMs: 0.6, mean: 1, meanSquare });
    const found = await meanLatency({ seed, duration, traffic: [{ rate, cpu }] });
    expect(Math.abs(found / expected - 1)).toBeLessThan(0.03);
  });

  test.each([
    [1, 2.5],
    // Erlang's C for 4 workers of 2.4 Erlangs is 0.28705.
    [4, 1 + 0.28705 / (4 - 2.4)],
  ])("M/M/%i, for a pool", async (workers, expected) => {
    const downstream = { pool: "workers", time: exponential(1) };
    const found = await meanLatency({
      seed,
      duration: duration / workers,
      traffic: [{ rate: constant(600 * workers), downstream }],
      pools: { workers: { workers } },
    });
    expect(Math.abs(found / expected - 1)).toBeLessThan(0.03);
  });
});

test.each([0.2, 0.5, 0.9])("utilization is the load that is offered: %d", async (load) => {
  const recording = await simulate({
    ...plain,
    duration: 200_000,
    traffic: [{ rate: constant(load * 500), cpu: exponential(2) }],
  });
  expect(Math.abs(cpuShare(recording) - load)).toBeLessThan(0.01);
});

test("the process and the pool tell their utilization as it is", async () => {
  const seen: (number | undefined)[][] = [];
  await simulate({
    ...plain,
    duration: 100_000,
    traffic: [
      {
        rate: constant(400),
        cpu: exponential(1),
        downstream: { pool: "db", time: exponential(12) },
      },
    ],
    pools: { db: { workers: 8 } },
    shedder: ({ scheduler, utilization, pools }) => {
      const signals = [utilization(), pools.get("db")?.utilization() ?? (() => 0)];
      scheduler.afterDelay(90_000, () => seen.push(signals.map((signal) => signal())));
      return undefined;
    },
  });
  expect(seen[0]?.[0]).toBeCloseTo(0.4, 1);
  expect(seen[0]?.[1]).toBeCloseTo(0.6, 1);
});

describe("a pool", () => {
  test("never has more jobs at work than workers, and does them in the order they came", () => {
    const time = new VirtualTime();
    const pool = new Pool(time, { workers: 3 });
    const random = seededRandom(1);
    const [started, counts]: [number[], number[]] = [[], []];
    for (let job = 0; job < 2000; job++) {
      const at = random() * 1000;
      time.plan({ at, call: () => pool.serve(random() * 3, () => started.push(at)) });
      time.plan({ at: random() * 1000, call: () => counts.push(pool.busy) });
    }
    while (time.goOn());
    expect(Math.max(...counts)).toBe(3);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(0);
    expect([started.length, pool.busy, pool.waiting]).toEqual([2000, 0, 0]);
  });

  test("keeps a line for those who find all workers busy", () => {
    const time = new VirtualTime();
    const pool = new Pool(time, { workers: 2 });
    const ends: string[] = [];
    for (const job of ["a", "b", "c", "d", "e"]) {
      pool.serve(10, () => ends.push(`${job} at ${time.now}`));
    }
    expect([pool.busy, pool.waiting]).toEqual([2, 3]);
    while (time.goOn());
    expect(ends).toEqual(["a at 10", "b at 10", "c at 20", "d at 20", "e at 30"]);
  });

  test("is slow for a while, and recovers", () => {
    const time = new VirtualTime();
    const slowdown = spike({ base: 1, peak: 5, at: 100, lasting: 50 });
    const pool = new Pool(time, { workers: 1, slowdown });
    const took: number[] = [];
    for (const at of [0, 100, 200]) {
      time.plan({ at, call: () => pool.serve(10, () => took.push(time.now - at)) });
    }
    while (time.goOn());
    expect(took).toEqual([10, 50, 10]);
  });

  test("tells the mean share of its workers that was busy", () => {
    const time = new VirtualTime();
    const pool = new Pool(time, { workers: 4 });
    const utilization = pool.utilization();
    pool.serve(10, () => {});
    pool.serve(30, () => {});
    time.goTo(40);
    expect([utilization(), utilization()]).toEqual([0.25, undefined]);
  });
});
