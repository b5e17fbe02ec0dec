import { RateLimiter } from "../limiter/index.ts";
import type { Limits, Random, Rate } from "../limits/core/index.ts";
import type { Comparison, TestedLimiter } from "./cases.ts";
import { expectEqual } from "./expect.ts";
import {
  sampleAsk,
  sampleFarBack,
  sampleLimit,
  samplePause,
  sampleStepBack,
  whole,
} from "./sample.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * Makes random calls on rates and expects the answers of a memory store. The limits change each
 * round.
 */
export async function compareRates({ store, ours, clock, seed }: Comparison): Promise<void> {
  const random = seededRandom(seed);
  for (let round = 0; round < 4; round++) {
    // The stores stay the same in all rounds; the limits change.
    const limits = { a: sampleLimit(random), b: sampleLimit(random) };
    const warn = () => {};
    const named: Limits = limits;
    const here: TestedLimiter = new RateLimiter(named, { store, warn });
    const there = new RateLimiter(named, { store: ours, warn });
    for (let step = 0; step < 60; step++) {
      const where = `seed ${seed}, round ${round}, step ${step}, ${JSON.stringify(limits)}`;
      const call = sampleCall(random, limits);
      expectEqual(await call(here), await call(there), where);
      clock.advance(samplePause(random, limits.a));
      if (step === 30) clock.advance(-sampleStepBack(random, limits));
      if (step === 45) {
        // First uses every state, so that no store has forgotten one that the other still has.
        for (const limiter of [here, there]) await touch(limiter);
        clock.advance(-sampleFarBack(random, [Number(limits.a.period), Number(limits.b.period)]));
      }
    }
  }
}

/** Takes one unit of each limit and key. */
async function touch(limiter: TestedLimiter): Promise<void> {
  for (const limit of ["a", "b"])
    for (const key of ["key 0", "key 1"]) await limiter.limit(limit, { key });
}

type Sampled = { readonly a: Rate; readonly b: Rate };

/** Returns a random call of any method whose answer depends on the store alone. */
function sampleCall(random: Random, limits: Sampled): (limiter: TestedLimiter) => unknown {
  const draw = (high: number) => whole(random, { low: 0, high });
  const names = ["a", "b"] as const;
  const limit = names[draw(1)] ?? "a";
  const key = `key ${draw(1)}`;
  const ask = { key, ...sampleAsk(random, limits[limit]) };
  const joint = names.map((name) => ({
    limit: name,
    key,
    ...sampleAsk(random, limits[name]),
  }));
  const settlement = { key, reserved: ask.count, used: draw(5) };
  const wait = draw(4000) + 1;
  const calls: readonly ((limiter: TestedLimiter) => unknown)[] = [
    (limiter) => limiter.check(limit, ask),
    (limiter) => limiter.limitAll(joint),
    (limiter) => limiter.checkAll(joint),
    (limiter) => limiter.settle(limit, settlement),
    (limiter) => limiter.value(limit, { key }),
    (limiter) => (wait % 4 === 0 ? limiter.reset(limit, { key }) : limiter.value(limit, { key })),
    (limiter) =>
      wait % 4 === 0 ? limiter.block(limit, { key, for: wait }) : limiter.limit(limit, ask),
    (limiter) => limiter.unblock(limit, { key }),
  ];
  // About half of the calls take units, so that keys reach their limits.
  return calls[draw(2 * calls.length)] ?? ((limiter) => limiter.limit(limit, ask));
}
