/** Law 1 in simulations, whatever the scenario; and what a recording adds up to. */
import { expect, test } from "vitest";
import type { Limit, Random } from "../../src/limits/core/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import {
  constant,
  exponential,
  type LimitScenario,
  limitTotal,
  simulateLimits,
  spike,
} from "../../src/testing/simulation/index.ts";
import type { LimitTally } from "../../src/testing/simulation/limits/recording.ts";
import { runs } from "../runs.ts";

const DURATION = 4000;

const between = (random: Random, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));

function sampleLimit(random: Random): Limit {
  const [rate, period] = [between(random, 10, 60), 1 + 2 * between(random, 150, 1500)];
  const capacity = between(random, 10, 150);
  const share = between(random, 100, period);
  return [
    { kind: "token bucket", rate, period, capacity, share } as const,
    { kind: "token bucket", rate, period, capacity } as const,
    { kind: "fixed window", rate, period, capacity, share } as const,
    { kind: "sliding window", rate, period, share } as const,
    { kind: "sliding log", rate, period } as const,
  ][between(random, 0, 4)] as Limit;
}

/** Everything that a scenario can say, by chance. */
function sample(random: Random): LimitScenario {
  const pick = (least: number, most: number) => between(random, least, most);
  const names = ["ap", "eu", "us"];
  const isFar = random() < 0.5;
  const region = () => names[pick(0, 2)] as string;
  const spell = () => ({ from: pick(0, 3000), to: pick(3000, DURATION) });
  const regions = Object.fromEntries(
    names.map((name) => [name, { part: pick(1, 3), processes: 2 }]),
  );
  const here = () => (isFar ? { region: region() } : {});
  return {
    duration: DURATION,
    limits: { it: sampleLimit(random) },
    traffic: [1, 2, 3].map((_, index) => ({
      limit: "it",
      key: ["a", "a", "b"][index] as string,
      count: pick(1, 4),
      rate:
        index === 0
          ? constant(pick(1, 100))
          : spike({ base: 2, peak: pick(100, 900), at: pick(0, 3000), lasting: pick(100, 800) }),
      ...here(),
    })),
    ...(isFar ? { regions } : { processes: pick(1, 6) }),
    latency: exponential(pick(1, 30)),
    distance: exponential(pick(1, 300)),
    hold: pick(100, 3000),
    stops: [
      { process: 0, at: pick(0, 3000), until: pick(3000, 3500), givesBack: random() < 0.5 },
    ].map((stop) => ({ ...stop, ...here() })),
    outages: random() < 0.3 ? [{ ...spell(), ...here() }] : [],
    partitions: isFar && random() < 0.5 ? [{ ...spell(), region: region() }] : [],
  };
}

const sum = ({ admitted, refused, unanswered }: LimitTally) => admitted + refused + unanswered;

test("no span admits more than the limit, whatever stops, is late or away", async () => {
  let admitted = 0;
  for (let seed = 0; seed < runs(30); seed++) {
    const recording = await simulateLimits(sample(seededRandom(seed)));
    const all = limitTotal(recording);
    expect(all, `seed ${seed}`).toMatchObject({ over: 0, asked: sum(all) });
    expect(all.refusedWithRoom).toBeLessThanOrEqual(all.refused);
    admitted += all.admitted;
  }
  expect(admitted).toBeGreaterThan(1000);
});

test("the same scenario gives the same recording, another seed another one", async () => {
  const scenario = sample(seededRandom(3));
  const [one, same] = [await simulateLimits(scenario), await simulateLimits(scenario)];
  expect(same).toEqual(one);
  expect(await simulateLimits({ ...scenario, seed: 2 })).not.toEqual(one);
});
