import { describe, expect, test } from "vitest";
import { planFor } from "../../../src/algorithms/index.ts";
import type { Limit, Random } from "../../../src/core/index.ts";
import type { RegionStore } from "../../../src/store/index.ts";
import { seededRandom } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import { bucketMeter, fixedMeter, type Meter, slidingMeter } from "./meters.ts";
import { World } from "./world.ts";

const NAMES = ["ap", "eu", "us"];
/** Milliseconds of a run. */
const LENGTH = 12_000;

const METERS = {
  "token bucket": bucketMeter,
  "fixed window": fixedMeter,
  "sliding window": slidingMeter,
};
type Metered = keyof typeof METERS;

/** A number of a range, bounds included. */
const between = (random: Random, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));

function sampleLimit(random: Random, kind: Metered): Limit {
  const rate = between(random, 12, 80);
  const period = between(random, 300, 3000);
  if (kind === "sliding window") return { kind, rate, period, start: 0 };
  const capacity = between(random, 12, 160);
  return kind === "fixed window"
    ? { kind, rate, period, capacity, start: 0 }
    : { kind, rate, period, capacity };
}

/** Everything goes wrong at random; returns by how much the bound was passed, and what was admitted. */
async function play(seed: number, kind: Metered) {
  const random = seededRandom(seed);
  const pick = (least: number, most: number) => between(random, least, most);
  const limit = sampleLimit(random, kind);
  const plan = planFor("it", limit);
  const parts = NAMES.map(() => pick(1, 4));
  // Windows of regions whose clocks differ are not the same: that has a test of its own.
  const skews = NAMES.map(() => (kind === "token bucket" ? pick(-60_000, 60_000) : 0));
  const hold = pick(100, 3000);
  const world = new World({
    random,
    names: NAMES,
    parts,
    skews,
    hold,
    delay: [0, pick(1, 300)],
    loss: random() / 4,
  });
  const meter: Meter = METERS[kind](plan);
  const seen = { over: 0, admitted: 0, drawn: 0 };
  const processes = Array.from({ length: pick(2, 6) }, (_, index) =>
    world.process(NAMES[index % 3] as string, 1 + (random() - 0.5) / 1000),
  );
  const busy = pick(0, processes.length - 1);
  let alive = processes;
  const ask = async (store: RegionStore) => {
    const count = random() < 0.8 ? 1 : pick(1, 12);
    const { ok } = await store.limit({ plan, key: "k", count, reserve: false });
    if (!ok) return;
    seen.admitted += count;
    seen.over = Math.max(seen.over, meter(count, world.now));
  };
  for (const [index, store] of processes.entries()) {
    const pause = index === busy ? pick(2, 15) : pick(20, 200);
    for (let at = 0; at < LENGTH; at += pick(1, 2 * pause)) {
      world.at(at, () => alive.includes(store) && ask(store));
    }
  }
  const budget = { plan, key: "k" };
  for (let at = 0; at < LENGTH; at += 400) {
    const rare = pick(0, 19);
    const region = NAMES[pick(0, 2)] as string;
    const store = processes[pick(0, processes.length - 1)] as RegionStore;
    world.at(at, () => {
      if (rare < 4) world.cut.has(region) ? world.cut.delete(region) : world.cut.add(region);
      if (rare === 4) alive = alive.filter((one) => one !== store);
      if (rare === 5) store.execute({ verb: "block", budgets: [budget], ms: 300 }).catch(() => {});
      if (rare === 6) store.lending.giveBack();
      if (rare === 7)
        store.execute({ verb: "check", budgets: [{ ...budget, count: 3, reserve: false }] });
    });
  }
  await world.run(LENGTH);
  for (const store of processes) seen.drawn += store.lending.numbers().lent;
  return seen;
}

describe("a limit over three regions", () => {
  for (const kind of Object.keys(METERS) as Metered[]) {
    test(`${kind}: no span admits more than the limit, whatever is lost, late, cut off or dead`, async () => {
      let drawn = 0;
      for (let run = 0; run < runs(8); run++) {
        const seen = await play(run, kind);
        expect(seen, `seed ${run}`).toMatchObject({ over: 0 });
        expect(seen.admitted).toBeGreaterThan(0);
        drawn += seen.drawn;
      }
      expect(drawn).toBeGreaterThan(0);
    });
  }
});
