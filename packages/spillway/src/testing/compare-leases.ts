/** Compares random leases on a store with those on a memory store. */
import { type Lease, RateLimiter } from "../limiter/index.ts";
import type { Concurrency, Limits, Random, Rate, Store, Timing } from "../limits/core/index.ts";
import type { Comparison, TestedLimiter } from "./cases.ts";
import { expectEqual } from "./expect.ts";
import { sampleAsk, sampleFarBack, sampleLimit, whole } from "./sample.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * The factor for all times. A lease measures its own time by a real clock, from when the store is
 * called; no test moves that clock. Times this long make the real duration of the test negligible.
 */
const SLOW = 100;

/** The same lease, from each of the two stores. */
type LeasePair = readonly [Lease<Timing>, Lease<Timing>];

/**
 * Makes the same random calls on both stores and expects equal answers. @throws Error if they
 * differ
 */
export async function compareLeases({ store, ours, clock, seed }: Comparison): Promise<void> {
  const random = seededRandom(seed);
  const pairs: LeasePair[] = [];
  for (let round = 0; round < 4; round++) {
    // Leases in flight stay while the limits change.
    const limits: Limits = { lent: sampleConcurrency(random), taken: slow(sampleLimit(random)) };
    const of = (one: Store<Timing>) => new RateLimiter(limits, { store: one, warn: () => {} });
    const both: LimiterPair = [of(store), of(ours)];
    for (let step = 0; step < 60; step++) {
      const where = `seed ${seed}, round ${round}, step ${step}, ${JSON.stringify(limits)}`;
      await compareCall({ random, pairs, limits, both }, where);
      clock.advance(random() < 0.6 ? 0 : whole(random, { low: 0, high: 1000 * SLOW }));
      if (step === 30) clock.advance(-whole(random, { low: 0, high: 400 * SLOW }));
      if (step === 45) clock.advance(-(await farBack({ random, pairs, limits, both })));
    }
  }
}

type LimiterPair = readonly [TestedLimiter, TestedLimiter];

type LeaseComparison = {
  readonly random: Random;
  readonly pairs: LeasePair[];
  readonly limits: Limits;
  readonly both: LimiterPair;
};

async function compareCall(
  { random, pairs, limits, both }: LeaseComparison,
  where: string,
): Promise<void> {
  const draw = (high: number) => whole(random, { low: 0, high });
  const key = `key ${draw(1)}`;
  const options = { key, count: draw(3), headroom: draw(3) === 0 ? draw(2) : 0 };
  const pair = pairs[draw(Math.max(0, pairs.length - 1))];
  const joint = [
    { limit: "lent", key, count: draw(2) },
    { limit: "taken", key, ...sampleAsk(random, limits.taken as Rate) },
  ];
  const rare = draw(5);
  const calls = [
    () => acquire(both, pairs, (limiter) => limiter.acquire("lent", options)),
    () => acquire(both, pairs, async (limiter) => (await limiter.limitAll(joint)).lease),
    () => pair?.map((lease) => lease.release()),
    () => pair?.map((lease) => lease.renew()),
    () => both.map((limiter) => limiter.check("lent", { key, count: options.count })),
    () => both.map((limiter) => limiter.value("lent", { key })),
    () => (rare === 0 ? both.map((limiter) => limiter.reset("lent", { key })) : undefined),
    () =>
      rare === 1
        ? both.map((limiter) => limiter.block("lent", { key, for: 300 * SLOW }))
        : undefined,
  ] as const;
  const [one, other] = await Promise.all((await calls[draw(calls.length - 1)]?.()) ?? []);
  expectEqual(one, other, where);
}

/**
 * Returns how far the clock goes back, in milliseconds. First uses every state, so that no store
 * has forgotten one that the other still has.
 */
async function farBack({ random, pairs, limits, both }: LeaseComparison): Promise<number> {
  for (const key of ["key 0", "key 1"]) {
    const one = await acquire(both, pairs, (limiter) => limiter.acquire("lent", { key }));
    const other = await Promise.all(both.map((limiter) => limiter.limit("taken", { key })));
    for (const [ours, theirs] of [one, other]) expectEqual(ours, theirs, "before going back");
  }
  const { ttl } = limits.lent as Concurrency;
  return sampleFarBack(random, [Number(ttl), Number((limits.taken as Rate).period)]);
}

/** Makes a call on both limiters, and keeps the leases of both for later calls. */
async function acquire(
  both: LimiterPair,
  pairs: LeasePair[],
  ask: (limiter: TestedLimiter) => unknown,
): Promise<readonly unknown[]> {
  const [one, other] = (await Promise.all(both.map(ask))) as [Lease<Timing>, Lease<Timing>];
  if (one !== undefined && other !== undefined) pairs.push([one, other]);
  return [one, other];
}

function sampleConcurrency(random: Random): Concurrency {
  const capacity = whole(random, { low: 1, high: 6 });
  return { kind: "concurrency", capacity, ttl: SLOW * whole(random, { low: 600, high: 3000 }) };
}

function slow(limit: Rate): Rate {
  return { ...limit, period: SLOW * Number(limit.period) };
}
