/** A server under load, with a shedder and without. */
import { describe, expect, test } from "vitest";
import type { Shedder } from "../../src/shedding/index.ts";
import {
  constant,
  exponential,
  fixed,
  goodput,
  latency,
  oscillation,
  type Recording,
  settlingTime,
  simulate,
  step,
  successRate,
  type Traffic,
  total,
  type World,
} from "../../src/testing/simulation/index.ts";
import type { RequestTally } from "../../src/testing/simulation/recording.ts";
import { cpu, type Decide, offered, shedderOf } from "./simulation-shedder.ts";

const never = shedderOf(() => false);

const counts = ({ latencies: _, ...rest }: RequestTally) => rest;

describe("an overloaded server", () => {
  const overloaded = { duration: 30_000, traffic: offered(200) };

  test("collapses without a shedder: it works, but for clients who are gone", async () => {
    const recording = await simulate(overloaded);
    expect(goodput(recording, { from: 5000 })).toBe(0);
    const { arrived, served, late, timedOut } = total(recording);
    expect(late).toBeGreaterThan(0.9 * arrived);
    expect(served + late + timedOut).toBe(arrived);
  });

  test("doesn't with one, even a simple one", async () => {
    const recording = await simulate({
      ...overloaded,
      shedder: ({ delay, scheduler }) => {
        const p99 = delay();
        let late = 0;
        const look = () => {
          late = p99() ?? 0;
          scheduler.afterDelay(100, look);
        };
        look();
        return shedderOf(() => late < 300);
      },
    });
    expect(goodput(recording, { from: 5000 })).toBeGreaterThan(60);
  });

  test("burns what a refusal costs, and no more", async () => {
    const recording = await simulate({ ...overloaded, shedder: () => never });
    const { arrived, shed, offered } = total(recording);
    expect([shed, offered]).toEqual([arrived, arrived]);
    const burnt = recording.buckets.reduce((sum, { cpu }) => sum + cpu, 0);
    expect(burnt).toBeCloseTo(arrived * 0.05, 6);
  });
});

test("CPU time is counted in the buckets in which it was used", async () => {
  const { buckets } = await simulate({
    duration: 4000,
    traffic: [],
    shedder: ({ scheduler, burn }) => {
      scheduler.afterDelay(500, () => burn(2250));
      return undefined;
    },
  });
  expect(buckets.map(({ cpu }) => cpu)).toEqual([500, 1000, 750, 0]);
});

test("a request takes its CPU time, half before and half after its downstream's", async () => {
  const seen: number[] = [];
  const recording = await simulate({
    duration: 1000,
    traffic: [{ rate: constant(1), cpu: fixed(6), downstream: { pool: "db", time: fixed(20) } }],
    pools: { db: { workers: 1 } },
    server: { overhead: 1 },
    shedder: ({ scheduler, pools }) =>
      shedderOf(() => {
        for (const ms of [2, 4, 22, 24])
          scheduler.afterDelay(ms, () => seen.push(pools.get("db")?.busy ?? 0));
        return true;
      }),
  });
  expect(total(recording, { to: Infinity }).latencies[0]).toBeCloseTo(27);
  expect(seen.slice(0, 4)).toEqual([1, 1, 1, 0]);
});

describe("a fleet of workers", () => {
  test("keeps its goodput behind a shedder that admits what can be done in time", async () => {
    const workers = 20;
    const recording = await simulate({
      duration: 60_000,
      traffic: [
        { rate: constant(600), downstream: { pool: "fleet", time: exponential(100) } },
        { rate: constant(10), priority: "critical", exempt: true },
      ],
      pools: { fleet: { workers } },
      server: { overhead: 0, refusalCost: 0 },
      shedder: () => shedderOf(({ exempt }, inFlight) => exempt === true || inFlight < 2 * workers),
    });
    expect(goodput(recording, { priority: "normal", from: 5000 })).toBeGreaterThan(190);
    expect(successRate(recording, { priority: "critical" })).toBe(1);
    expect(oscillation(recording, { from: 5000 })).toBeLessThan(0.15);
    expect(latency(recording, { rank: 0.5 })).toBeLessThan(250);
    expect(recording.buckets.every(({ cpu }) => cpu === 0)).toBe(true);
  });

  test("settles after a step", async () => {
    const recording = await simulate({
      duration: 60_000,
      traffic: [{ rate: step({ from: 100, to: 400, at: 20_000 }), cpu: fixed(1) }],
    });
    expect(settlingTime(recording, { from: 15_000 })).toBeLessThanOrEqual(5000);
    expect(settlingTime(recording, { from: 20_000 })).toBe(0);
  });
});

describe("the same scenario", () => {
  const run = (seed: number): Promise<Recording> =>
    simulate({
      seed,
      duration: 5000,
      traffic: [
        { rate: constant(150), cpu, users: 50 },
        { rate: constant(50), cpu, priority: "low", downstream: { pool: "db", time: cpu } },
      ],
      pools: { db: { workers: 2 } },
      client: { attempts: 3, deadline: 500 },
      shedder: ({ random }) => shedderOf(() => random() < 0.8),
    });

  test("gives the same recording, also when others run at the same time", async () => {
    const [one, other] = await Promise.all([run(1), run(1)]);
    expect(one).toEqual(other);
    expect(await run(1)).toEqual(one);
  });

  test("gives another with another seed", async () => {
    expect(await run(1)).not.toEqual(await run(2));
  });

  test("offers the same requests, whatever becomes of them", async () => {
    const traffic: Traffic[] = [{ rate: constant(100), cpu, users: 1000 }];
    const asked = async (decide: Decide) => {
      const cohorts: (string | undefined)[] = [];
      const shedder = () =>
        shedderOf((work, n) => [cohorts.push(work.cohort), decide(work, n)][1] as boolean);
      await simulate({ duration: 5000, traffic, shedder });
      return cohorts;
    };
    expect(await asked(() => true)).toEqual(await asked((_, inFlight) => inFlight > 0));
  });
});

describe("a shedder", () => {
  const traffic = offered(50);

  test("hears the end of everything it admitted, once", async () => {
    const heard: string[] = [];
    const shedder = () => shedderOf(() => true, { note: (what) => heard.push(what) });
    const recording = await simulate({ duration: 20_000, traffic: offered(150), shedder });
    expect(heard).toHaveLength(total(recording).offered);
    expect(new Set(heard)).toEqual(new Set(["done served"]));
  });

  test("may answer later", async () => {
    const shedder = ({ scheduler }: World): Pick<Shedder, "admit"> => {
      const { admit } = shedderOf((_, inFlight) => inFlight < 1000);
      const wait = () => new Promise<void>((resolve) => scheduler.afterTurn(resolve));
      return { admit: (work) => wait().then(() => admit(work)) };
    };
    const later = await simulate({ duration: 20_000, traffic, shedder });
    const atOnce = await simulate({ duration: 20_000, traffic });
    expect(counts(total(later))).toEqual(counts(total(atOnce)));
  });

  test("ends the simulation with what it throws", async () => {
    const broken = (admit: Shedder["admit"]) => () => ({ admit });
    const now = broken(() => {
      throw new Error("now");
    });
    const later = broken(() => Promise.reject(new Error("later")));
    await expect(simulate({ duration: 1000, traffic, shedder: now })).rejects.toThrow("now");
    await expect(simulate({ duration: 1000, traffic, shedder: later })).rejects.toThrow("later");
  });

  test("that never answers is given up, even if it never stops", async () => {
    const shedder = ({ scheduler }: World): Pick<Shedder, "admit"> => {
      const beat = () => scheduler.afterDelay(10, beat);
      beat();
      return { admit: () => new Promise(() => {}) };
    };
    const { arrived, timedOut } = total(await simulate({ duration: 5000, traffic, shedder }));
    expect(timedOut).toBe(arrived);
  });

  test("sees pauses, as of a collection of garbage", async () => {
    const seen: (number | undefined)[] = [];
    const recording = await simulate({
      duration: 2000,
      traffic: [{ rate: constant(1000) }],
      shedder: ({ scheduler, burn, delay }) => {
        const p99 = delay();
        scheduler.afterDelay(1000, () => burn(300));
        for (const ms of [999, 1400]) scheduler.afterDelay(ms, () => seen.push(p99()));
        return undefined;
      },
    });
    expect(seen[0]).toBeLessThan(1);
    expect(seen[1]).toBeGreaterThan(280);
    expect(latency(recording, { rank: 1 })).toBeGreaterThan(280);
  });
});

test("a pool that isn't there is named", async () => {
  const traffic = [{ rate: constant(10), downstream: { pool: "db", time: fixed(1) } }];
  const pools = { cache: { workers: 1 } };
  const wrong = simulate({ duration: 1000, traffic, pools });
  await expect(wrong).rejects.toThrow('no pool "db" among: cache');
});
