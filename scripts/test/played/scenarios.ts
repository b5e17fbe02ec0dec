import {
  goodput,
  oscillation,
  settlingTime,
  successRate,
  total,
} from "spillway/testing/simulation";
import { expect, test } from "vitest";
import { figuresOf, play } from "../../draw/shedding/play.ts";
import { TRIALS } from "../../draw/shedding/scenarios.ts";
import { type Trial, withoutShedder } from "../../draw/shedding/trial.ts";

const OVERLOADS = ["load-2", "load-5", "load-10", "mixed-routes", "heavy-tail", "retries"] as const;

export function scenarioTests(): void {
  test.for([...OVERLOADS, "night-then-morning", "spike"] as const)(
    "goodput stays at 90 % of what there is room for, and what is critical is served: %s",
    async (name) => {
      const { goodput, critical } = await figuresOf(TRIALS[name]);
      expect(goodput).toBeGreaterThan(0.9);
      expect(critical).toBeGreaterThan(0.99);
    },
  );

  test("without a shedder, twice the load serves nobody in time", async () => {
    expect((await figuresOf(withoutShedder(TRIALS["load-2"]))).goodput).toBeLessThan(0.05);
  });

  test.for(["load-0.7", "idle-then-burst"] as const)("nothing is shed: %s", async (name) => {
    const recording = await play(TRIALS[name]);
    expect(total(recording, { from: 0 })).toMatchObject({ shed: 0, late: 0, timedOut: 0 });
  });

  test("at the load of what there is room for, only what matters little gives way", async () => {
    const recording = await play(TRIALS["load-1"]);
    expect(successRate(recording, { priority: "critical" })).toBe(1);
    expect(successRate(recording, { priority: "normal" })).toBeGreaterThan(0.99);
    expect((await figuresOf(TRIALS["load-1"])).goodput).toBeGreaterThan(0.9);
  });

  test("after a step it settles within ten seconds", async () => {
    const morning = TRIALS["night-then-morning"];
    expect(settlingTime(await play(morning), { from: morning.from })).toBeLessThanOrEqual(10_000);
    expect(settlingTime(await play(TRIALS["load-5"]), { from: 0 })).toBeLessThanOrEqual(10_000);
    const spike = await play(TRIALS.spike);
    expect(settlingTime(spike, { from: 30_000 })).toBeLessThanOrEqual(10_000);
    expect(total(spike, { from: 40_000 }).shed).toBe(0);
  });

  test.for(["load-5", "load-10"] as const)(
    "goodput does not swing once settled: %s",
    async (name) => {
      const { from } = TRIALS[name];
      const recording = await play(TRIALS[name]);
      // What chance alone makes of as many in five seconds: see `oscillation`.
      const chance = 4 / Math.sqrt(5 * goodput(recording, { from }));
      expect(oscillation(recording, { from })).toBeLessThan(chance);
    },
  );

  test("a database that slows down is not drowned, and is used again when it recovers", async () => {
    const recording = await play(TRIALS["slow-downstream"]);
    expect(goodput(recording, { from: 25_000, to: 40_000 })).toBeGreaterThan(0.9 * 50);
    expect(successRate(recording, { from: 20_000, priority: "critical" })).toBeGreaterThan(0.99);
    expect(goodput(recording, { from: 45_000 })).toBeGreaterThan(0.95 * 140);
    expect(total(recording, { to: 20_000 }).shed).toBe(0);
  });

  test.for([
    ["busy-database", 0.9],
    ["wide-database", 0.95],
    ["fast-beside-slow", 0.8],
  ] as const)(
    "what a database can do is used, and no queue grows before it: %s",
    async ([name, least]) => {
      const { goodput, critical, p99 } = await figuresOf(TRIALS[name]);
      expect(goodput).toBeGreaterThan(least);
      expect(critical).toBeGreaterThan(0.99);
      expect(p99).toBeLessThan(700);
    },
  );

  const FLOODED = { from: 120_000, to: 660_000 };

  /** What part of the background work was refused, in each bucket. */
  async function refused(trial: Trial): Promise<number[]> {
    const { buckets } = await play(trial);
    return buckets
      .filter(({ start }) => start >= 240_000 && start < FLOODED.to)
      .map(({ tallies: { background } }) => background.shed / background.offered);
  }

  test("workers that are too busy: a threshold flaps, the integrator does not", async () => {
    const flapping = await refused(TRIALS["workers-on-off"]);
    expect(flapping.filter((share) => share < 0.1).length).toBeGreaterThan(10);
    expect(flapping.filter((share) => share > 0.9).length).toBeGreaterThan(10);
    const steady = await refused(TRIALS["workers-integrator"]);
    expect(Math.max(...steady) - Math.min(...steady)).toBeLessThan(0.2);
  });

  test("workers that are too busy: half a minute of grace, and all is let in again", async () => {
    const recording = await play(TRIALS["workers-integrator"]);
    expect(total(recording, { to: 88_000 }).shed).toBe(0);
    expect(total(recording, FLOODED).shed).toBeGreaterThan(1000);
    expect(total(recording, { priority: "critical" }).shed).toBe(0);
    expect(total(recording, { from: 840_000 }).shed).toBe(0);
  });

  test("a fleet keeps its parts: what matters more is served more", async () => {
    const recording = await play(TRIALS.fleet);
    const { from } = TRIALS.fleet;
    const rate = (priority: "critical" | "normal" | "low" | "background") =>
      successRate(recording, { from, priority });
    expect(rate("critical")).toBeGreaterThan(0.99);
    expect(rate("normal")).toBeGreaterThan(rate("low"));
    expect(rate("low")).toBeGreaterThan(rate("background"));
  });
}
