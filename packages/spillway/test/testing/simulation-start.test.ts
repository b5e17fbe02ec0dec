/** How a process starts, and responses that go on. */
import { describe, expect, test } from "vitest";
import {
  constant,
  fixed,
  ramp,
  type Scenario,
  simulate,
  spike,
  step,
  successRate,
  total,
  type World,
} from "../../src/testing/simulation/index.ts";
import type { SimulatedServerOptions } from "../../src/testing/simulation/server.ts";
import { shedderOf } from "./simulation-shedder.ts";

const FREE = { overhead: 0, refusalCost: 0 } satisfies SimulatedServerOptions;

describe("a process that starts", () => {
  const seldom = { duration: 60_000, traffic: [{ rate: constant(1), cpu: fixed(10) }] };

  test("is slower at first, by how often it has done the same", async () => {
    const server = { ...FREE, warmUp: ramp({ from: 5, to: 1, start: 0, end: 8 }) };
    const { latencies } = total(await simulate({ ...seldom, server }));
    const rounded = latencies.map((ms) => Math.round(ms));
    expect(rounded.slice(0, 10)).toEqual([50, 45, 40, 35, 30, 25, 20, 15, 10, 10]);
  });

  test("is as slow with each thing that it does, until it has done that thing often", async () => {
    const server = { overhead: 1, refusalCost: 10, warmUp: step({ from: 3, to: 1, at: 2 }) };
    let asked = 0;
    const shedder = () => shedderOf(() => ++asked > 3);
    const { buckets } = await simulate({ ...seldom, server, shedder });
    const used = buckets.map(({ cpu }) => cpu).filter((cpu) => cpu > 0);
    // Three are refused (33, 33, 11), and then the work itself has yet to be done for a first time.
    expect(used.reduce((sum, cpu) => sum + cpu, 0)).toBeCloseTo(
      33 + 33 + 11 + 31 * 2 + 11 * (asked - 5),
    );
  });

  test("is slower for a time", async () => {
    const server = { ...FREE, slowdown: step({ from: 4, to: 1, at: 20_000 }) };
    const recording = await simulate({ ...seldom, server });
    expect(Math.min(...total(recording, { to: 19_000 }).latencies)).toBeCloseTo(40);
    expect(Math.max(...total(recording, { from: 20_000 }).latencies)).toBeLessThan(30);
  });

  test("may be blocked, while what comes waits for it", async () => {
    const server = { ...FREE, blocked: 400 };
    const traffic = [{ rate: spike({ base: 0, peak: 20_000, at: 100, lasting: 1 }) }];
    const { latencies } = total(await simulate({ duration: 1000, traffic, server }));
    for (const ms of latencies) expect(ms).toBeCloseTo(300, -1);
  });
});

describe("a stream", () => {
  const streams = {
    duration: 10_000,
    traffic: [{ rate: constant(10), cpu: fixed(1), holds: fixed(3000) }],
  } satisfies Scenario;

  test("is answered when it begins, and holds its admission until it ends", async () => {
    const [admitted, ended]: [number[], number[]] = [[], []];
    const shedder = ({ scheduler }: World) =>
      shedderOf(() => admitted.push(scheduler.elapsed()) > 0, {
        note: () => ended.push(scheduler.elapsed()),
      });
    const recording = await simulate({ ...streams, shedder });
    expect(successRate(recording)).toBe(1);
    expect(Math.max(...total(recording).latencies)).toBeLessThan(20);
    expect(ended.length).toBeGreaterThan(50);
    ended.forEach((instant, index) => {
      expect(instant - (admitted[index] ?? 0)).toBeGreaterThan(3000);
      expect(instant - (admitted[index] ?? 0)).toBeLessThan(3020);
    });
  });

  test("keeps its connection busy: the next one needs another", async () => {
    const opened = async (holds: number) => {
      const traffic = [{ rate: constant(10), holds: fixed(holds) }];
      const client = { connections: "pooled" } as const;
      const server = { ...FREE, acceptCost: 1 };
      const { buckets } = await simulate({ duration: 10_000, traffic, client, server });
      return Math.round(buckets.reduce((sum, { cpu }) => sum + cpu, 0));
    };
    expect(await opened(3000)).toBeGreaterThan(25);
    expect(await opened(0)).toBeLessThan(4);
  });

  test("may never end, as where somebody forgets to say so", async () => {
    const heard: string[] = [];
    const traffic = [{ rate: constant(10), holds: fixed(Infinity) }];
    const shedder = () => shedderOf(() => true, { note: (what) => heard.push(what) });
    const { arrived, served } = total(await simulate({ duration: 5000, traffic, shedder }));
    expect([served, heard]).toEqual([arrived, []]);
  });

  test("doesn't begin for a client that has gone", async () => {
    const ended: number[] = [];
    const traffic = [
      {
        rate: spike({ base: 0, peak: 1e6, at: 0, lasting: 0.01 }),
        cpu: fixed(500),
        holds: fixed(1e6),
      },
    ];
    const client = { closes: true, deadline: 400 };
    const shedder = ({ scheduler }: World) =>
      shedderOf(() => true, { note: () => ended.push(scheduler.elapsed()) });
    await simulate({ duration: 10_000, traffic, client, shedder, server: FREE });
    expect(ended.length).toBeGreaterThan(0);
    ended.forEach((instant, index) => {
      expect(instant).toBeCloseTo(500 * (index + 1), 0);
    });
  });
});

test("a route with a name is counted apart as well", async () => {
  const recording = await simulate({
    duration: 10_000,
    traffic: [
      { rate: constant(30), cpu: fixed(1) },
      { rate: constant(10), cpu: fixed(1), priority: "critical", name: "health" },
      { rate: constant(10), cpu: fixed(1), name: "health" },
    ],
  });
  const { arrived, latencies } = total(recording);
  const health = total(recording, { route: "health" });
  const critical = total(recording, { priority: "critical" });
  expect(arrived).toBeGreaterThan(400);
  expect(health.arrived).toBeGreaterThan(critical.arrived + 50);
  expect(health.arrived).toBeLessThan(arrived - 200);
  expect(health.latencies.length).toBeLessThan(latencies.length);
  expect(total(recording, { route: "health", priority: "critical" })).toEqual(critical);
  expect(total(recording, { route: "none" }).arrived).toBe(0);
});
