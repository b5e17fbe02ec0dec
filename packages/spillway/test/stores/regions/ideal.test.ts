/** Three regions with most of the traffic in one: what is admitted of what one store would admit. */
import { expect, test } from "vitest";
import {
  constant,
  fixed,
  idealShare,
  limitTotal,
  simulateLimits,
} from "../../../src/testing/simulation/index.ts";

const TRAFFIC = { ap: 0.1, eu: 0.8, us: 0.1 };
const NAMES = Object.keys(TRAFFIC);
const DURATION = 12_000;
/** What is counted begins then: before it everybody has a full bucket. */
const settled = { from: 4000 };

/** Twelve processes ask at so many times the rate, while some regions are cut off. */
async function play({ times, cut }: { readonly times: number; readonly cut: readonly string[] }) {
  const recording = await simulateLimits({
    duration: DURATION,
    limits: { it: { kind: "token bucket", rate: 300, period: 1000, capacity: 600 } },
    regions: Object.fromEntries(NAMES.map((name) => [name, { part: 1, processes: 4 }])),
    traffic: Object.entries(TRAFFIC).map(([region, part]) => {
      return { limit: "it", region, rate: constant(300 * times * part) };
    }),
    latency: fixed(0),
    distance: fixed(40),
    partitions: cut.map((region) => ({ region, from: 0, to: DURATION })),
  });
  const { over } = limitTotal(recording);
  return { share: idealShare(recording, settled), over };
}

test("with most of the traffic in one region, lending admits what fixed parts refuse", async () => {
  const lent = await play({ times: 0.9, cut: [] });
  const fixedParts = await play({ times: 0.9, cut: NAMES });
  const rushed = await play({ times: 2, cut: [] });
  expect([lent.over, fixedParts.over, rushed.over]).toEqual([0, 0, 0]);
  expect(fixedParts.share).toBeLessThan(0.75);
  expect(lent.share).toBeGreaterThan(0.95);
  expect(rushed.share).toBeGreaterThan(0.85);
});

test("a region that is cut off admits its part, and the others theirs", async () => {
  const { share, over } = await play({ times: 0.9, cut: ["eu"] });
  expect(over).toBe(0);
  // A third of the limit, and all that comes elsewhere.
  expect(share).toBeGreaterThan((1 / 3 + 0.9 * 0.2) / 0.9 - 0.02);
  expect(share).toBeLessThan((1 / 3 + 0.9 * 0.2) / 0.9 + 0.02);
});
