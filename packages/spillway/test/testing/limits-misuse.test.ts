/** What a scenario can't say, and where it says so. */
import { expect, test } from "vitest";
import {
  constant,
  fixed,
  type LimitScenario,
  limitTotal,
  simulateLimits,
  zipf,
} from "../../src/testing/simulation/index.ts";

const limits = { it: { kind: "token bucket", rate: 10, period: 1000 } } as const;
const GOOD = { duration: 100, limits, traffic: [{ limit: "it", rate: constant(100) }] };
const regions = { eu: { part: 1, processes: 2 }, us: { part: 1 } };
const spell = { from: 0, to: 10 };
const traffic = (more: object) => ({ traffic: [{ limit: "it", rate: constant(100), ...more }] });

const BAD: readonly [string, string | undefined, object][] = [
  ["unknown-field", "latencies", { latencies: fixed(1) }],
  ["bad-option", "duration", { duration: Number.NaN }],
  ["bad-option", "seed", { seed: 0.5 }],
  ["bad-option", "width", { width: 0 }],
  ["bad-option", "deadline", { deadline: 0 }],
  ["bad-option", "farDeadline", { farDeadline: 60_001 }],
  ["bad-option", "hold", { regions, hold: 99 }],
  ["bad-option", "latency", { latency: 2 }],
  ["bad-option", "latency", { latency: () => Number.NaN }],
  ["bad-option", "distance", { regions, distance: () => -1 }],
  ["bad-option", "processes", { processes: 1001 }],
  ["bad-option", "processes", { processes: 2, regions }],
  ["bad-option", "options", { regions: 3 }],
  ["bad-option", "regions", { regions: {} }],
  ["bad-option", "options", { regions: { eu: 1 } }],
  ["bad-option", "regions.eu.part", { regions: { eu: { part: 0 } } }],
  ["bad-option", "regions.eu.processes", { regions: { eu: { part: 1, processes: 0.5 } } }],
  ["bad-option", "traffic", { traffic: constant(1) }],
  ["bad-option", "traffic.0.rate", traffic({ rate: 900 })],
  ["bad-option", "traffic.0.rate", traffic({ rate: constant(-1) })],
  ["bad-option", "traffic.0.key", traffic({ key: 7 })],
  ["bad-option", "traffic.0.processes", traffic({ processes: [1] })],
  ["bad-option", "traffic.0.processes", { regions, ...traffic({ processes: [1] }) }],
  ["bad-option", "traffic.0.processes", traffic({ processes: [] })],
  ["bad-region", "traffic.0.region", { regions, ...traffic({ region: "ap" }) }],
  ["unknown-field", "keys", traffic({ keys: 7 })],
  ["unknown-limit", "limit", traffic({ limit: "that" })],
  ["bad-count", "count", traffic({ count: 0.5 })],
  ["bad-rate", "rate", { limits: { it: { ...limits.it, rate: -1 } } }],
  ["bad-option", "stops.0.at", { stops: [{ process: 0, at: -1 }] }],
  ["bad-option", "stops.0.until", { stops: [{ process: 0, at: 5, until: 4 }] }],
  ["bad-option", "stops.0.process", { stops: [{ process: 1, at: 5 }] }],
  ["bad-option", "stops.0.givesBack", { stops: [{ process: 0, at: 5, givesBack: 1 }] }],
  ["bad-region", "stops.0.region", { regions, stops: [{ process: 0, at: 5 }] }],
  ["bad-option", "outages.0.to", { outages: [{ from: 5, to: Number.NaN }] }],
  ["bad-region", "outages.0.region", { outages: [{ ...spell, region: "eu" }] }],
  ["bad-region", "partitions.0.region", { regions, partitions: [spell] }],
  ["bad-region", "kind", { regions, limits: { it: { ...limits.it, kind: "leaky bucket" } } }],
];

test.each(BAD)("%s at %s", async (code, field, more) => {
  const scenario = { ...GOOD, ...more } as LimitScenario;
  await expect(simulateLimits(scenario)).rejects.toMatchObject({ code, field });
});

test("it is good otherwise", async () => {
  expect(limitTotal(await simulateLimits(GOOD)).asked).toBeGreaterThan(0);
});

test("keys by chance", () => {
  const draws = (exponent: number, at: number) => zipf({ keys: 3, exponent })(() => at);
  // 1, ½ and ⅓ of 1⅚.
  expect([0, 0.54, 0.55, 0.81, 0.82, 0.99].map((one) => draws(1, one))).toEqual([
    "key 1",
    "key 1",
    "key 2",
    "key 2",
    "key 3",
    "key 3",
  ]);
  expect([0, 0.34, 0.67].map((one) => draws(0, one))).toEqual(["key 1", "key 2", "key 3"]);
  expect(() => zipf({ keys: 0 })).toThrow(expect.objectContaining({ code: "bad-option" }));
  expect(() => zipf({ keys: 2, exponent: Number.NaN })).toThrow(
    expect.objectContaining({ code: "bad-option", field: "exponent" }),
  );
});
