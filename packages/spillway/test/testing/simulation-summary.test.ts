/** What recordings come to, worked out by hand. */
import { describe, expect, test } from "vitest";
import {
  cpuShare,
  goodput,
  latency,
  oscillation,
  type Recording,
  settlingTime,
  successRate,
  total,
} from "../../src/testing/simulation/index.ts";
import type { RequestTally } from "../../src/testing/simulation/recording.ts";

const none = { arrived: 0, succeeded: 0, offered: 0, served: 0, late: 0, shed: 0, timedOut: 0 };

/** A recording of half seconds with what was counted for the priority `normal`. */
function recordingOf(counted: readonly Partial<RequestTally>[], width = 500): Recording {
  const buckets = counted.map((counts, index) => ({
    start: index * width,
    cpu: 50 * index,
    routes: {},
    tallies: {
      critical: { ...none, latencies: [] },
      normal: { ...none, latencies: [], ...counts },
      low: { ...none, served: 1, arrived: 4, succeeded: 1, latencies: [1000] },
      background: { ...none, latencies: [] },
    },
  }));
  return { duration: counted.length * width, width, buckets };
}

const served = (...counts: readonly number[]) => recordingOf(counts.map((n) => ({ served: n })));

describe("a span", () => {
  const recording = recordingOf([
    { arrived: 4, succeeded: 3, served: 3, latencies: [10, 30, 20] },
    { arrived: 6, succeeded: 2, served: 2, latencies: [50, 40] },
  ]);

  test("is all that arrived, unless it is said which part", () => {
    expect(total(recording)).toMatchObject({ arrived: 18, succeeded: 7, served: 7 });
    expect(total(recording, { from: 500, priority: "normal" }).latencies).toEqual([50, 40]);
    expect(total(recording, { to: 500, priority: "normal" }).served).toBe(3);
  });

  test("has a goodput a second, a success rate, a CPU share and quantiles", () => {
    expect(goodput(recording)).toBe(7);
    expect(goodput(recording, { priority: "normal", to: 500 })).toBe(6);
    expect(successRate(recording, { priority: "normal" })).toBe(0.5);
    expect(successRate(recording, { priority: "critical" })).toBe(1);
    expect(cpuShare(recording)).toBe(0.05);
    expect(latency(recording, { rank: 0.5, priority: "normal" })).toBe(30);
    expect(latency(recording, { rank: 0.99 })).toBe(1000);
    expect(latency(recording, { rank: 0.5, priority: "critical" })).toBeUndefined();
  });
});

describe("goodput over time", () => {
  const span = { priority: "normal" } as const;

  test("doesn't swing where it is always the same", () => {
    expect(oscillation(served(5, 5, 5, 5, 5, 5, 5), span)).toBe(0);
  });

  test("swings by the range of its moving means over the mean", () => {
    // Moving means of 5: 4, 6, 6; the mean is 36 / 7, all of them times 2 a second.
    expect(oscillation(served(0, 5, 5, 5, 5, 10, 5), span)).toBeCloseTo(2 / (35 / 7));
  });

  test("settles where its moving mean gets near the final one and stays", () => {
    const settling = served(9, 9, 9, 0, 0, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10);
    // From the fifth bucket, moving means are 8, 10, 10, …: those from 10 on are within 10 %.
    expect(settlingTime(settling, { from: 0, ...span })).toBe(2500);
    expect(settlingTime(settling, { from: 1000, ...span })).toBe(1500);
    expect(settlingTime(settling, { from: 0, tolerance: 0.25, ...span })).toBe(2000);
  });

  test("is settled at once where nothing changes, and never where it swings to the end", () => {
    expect(settlingTime(served(...Array(20).fill(7)), { from: 0, ...span })).toBe(0);
    const swinging = Array.from({ length: 40 }, (_, index) => (index % 10 < 5 ? 10 : 1));
    expect(settlingTime(served(...swinging), { from: 0, ...span })).toBe(Infinity);
  });
});
