import { expect, test } from "vitest";
import { planFor } from "../../../src/algorithms/index.ts";
import { seededRandom } from "../../../src/testing/index.ts";
import { bucketMeter } from "./meters.ts";
import { World } from "./world.ts";

const NAMES = ["ap", "eu", "us"];
const LENGTH = 12_000;
/** What is counted begins then: before it everybody has a full bucket. */
const START = 4000;
const SHARES = [0.1, 0.8, 0.1];
const plan = planFor("it", { kind: "token bucket", rate: 300, period: 1000, capacity: 600 });

/** Twelve processes ask at so many times the rate, most of them in one region; the part of the ideal admitted. */
async function play({ times, isLent }: { readonly times: number; readonly isLent: boolean }) {
  const random = seededRandom(7);
  const world = new World({ random, names: NAMES, parts: [1, 1, 1], delay: [40, 40] });
  if (!isLent) for (const name of NAMES) world.cut.add(name);
  const meter = bucketMeter(plan);
  const seen = { over: 0, admitted: 0, asked: 0 };
  for (const [region, name] of NAMES.entries()) {
    for (let index = 0; index < 4; index++) {
      const store = world.process(name);
      const perMs = ((plan.rate / 1000) * times * (SHARES[region] as number)) / 4;
      for (let at = 0; at < LENGTH; at += -Math.log(1 - random()) / perMs) {
        world.at(Math.floor(at), async () => {
          if (world.now >= START) seen.asked++;
          const { ok } = await store.limit({ plan, key: "k", count: 1, reserve: false });
          if (!ok) return;
          if (world.now >= START) seen.admitted++;
          seen.over = Math.max(seen.over, meter(1, world.now));
        });
      }
    }
  }
  await world.run(LENGTH);
  const ideal = Math.min(seen.asked, ((LENGTH - START) * plan.rate) / plan.period);
  return { share: seen.admitted / ideal, over: seen.over };
}

test("with most of the traffic in one region, lending admits what fixed parts refuse", async () => {
  const lent = await play({ times: 0.9, isLent: true });
  const fixed = await play({ times: 0.9, isLent: false });
  const rushed = await play({ times: 2, isLent: true });
  if (process.env.SPILLWAY_SHOW) console.log({ lent, fixed, rushed });
  expect([lent.over, fixed.over, rushed.over]).toEqual([0, 0, 0]);
  expect(fixed.share).toBeLessThan(0.75);
  expect(lent.share).toBeGreaterThan(0.95);
  expect(rushed.share).toBeGreaterThan(0.85);
});
