/** Logs and leases of thousands of entries, on a store and on one in memory side by side. */
import { type Lease, RateLimiter } from "../../src/limiter/index.ts";
import {
  type Limits,
  MINUTE,
  type Random,
  type Store,
  type Timing,
} from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { expectEqual } from "../../src/testing/expect.ts";
import type { ManualClock } from "../../src/testing/index.ts";
import { whole } from "../../src/testing/sample.ts";
import { seededRandom } from "../../src/testing/seeded-random.ts";

/** So that about half of the lists are over after some dozens of the pauses below. */
const PERIOD = 30 * MINUTE;

/** Two units an entry on average, and little room beside. */
const limitsOf = (capacity: number): Limits => ({
  log: { kind: "sliding log", rate: capacity, period: PERIOD },
  lent: { kind: "concurrency", capacity, ttl: PERIOD },
});

type Limiter = RateLimiter<Limits, Timing>;
type Both = readonly [Limiter, Limiter];
type Pair = readonly [Lease<Timing>, Lease<Timing>];

/** What is compared; `seed` draws the calls. */
export type LongLists = {
  readonly store: Store<Timing>;
  readonly clock: ManualClock;
  readonly seed: number;
  /** Entries that each list has before the comparison. */
  readonly entries: number;
  /** Called when the lists are filled. */
  readonly whenFilled?: () => Promise<void>;
};

/** @throws Error where an answer differs from that of a memory store. */
export async function compareLongLists(lists: LongLists): Promise<void> {
  const { store, clock, seed, entries } = lists;
  const random = seededRandom(seed);
  const ours = memoryStore({ clock });
  const bothOf = (capacity: number) =>
    [store, ours].map(
      (one) => new RateLimiter(limitsOf(capacity), { store: one, warn: () => {} }),
    ) as unknown as Both;
  let both = bothOf(2 * entries);
  const pairs = await filled(both, entries, { clock, random });
  await lists.whenFilled?.();
  for (let step = 0; step < 150; step++) {
    // Halfway the limits hold more, and near the end less, than what is used.
    if (step === 75) both = bothOf(3 * entries);
    if (step === 130) both = bothOf(entries / 2);
    const [one, other] = await sampled({ both, pairs, random, hasChanged: step >= 75 });
    expectEqual(one, other, `seed ${seed}, step ${step}`);
    clock.advance(random() < 0.5 ? 0 : whole(random, { low: 0, high: PERIOD / 50 }));
    if (step === 40) clock.advance(-whole(random, { low: 0, high: PERIOD / 2 }));
    if (step === 60) clock.advance(-whole(random, { low: PERIOD, high: 2 * PERIOD }));
    if (step === 100) clock.advance(PERIOD - MINUTE);
  }
}

/** Fills the lists of both alike. */
async function filled(
  both: Both,
  entries: number,
  { clock, random }: { readonly clock: ManualClock; readonly random: Random },
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let entry = 0; entry < entries; entry += 50) {
    const counts = Array.from({ length: 50 }, () => whole(random, { low: 1, high: 2 }));
    const [ours, theirs] = await Promise.all(
      both.map((one) => Promise.all(counts.map((count) => one.acquire("lent", { count })))),
    );
    for (const index of counts.keys()) {
      pairs.push([ours?.[index], theirs?.[index]] as unknown as Pair);
    }
    for (const count of counts) {
      clock.advance(whole(random, { low: 1, high: 80 }));
      for (const limiter of both) await limiter.limit("log", { count });
    }
  }
  return pairs;
}

type Scene = {
  readonly both: Both;
  readonly pairs: readonly Pair[];
  readonly random: Random;
  /** Whether leases were taken under another definition than that of the limiters. */
  readonly hasChanged: boolean;
};

/** One call, drawn at random, of both. */
async function sampled({ both, pairs, random, hasChanged }: Scene): Promise<readonly unknown[]> {
  const count = whole(random, { low: 0, high: random() < 0.5 ? 3 : pairs.length });
  const pair = pairs[whole(random, { low: 0, high: pairs.length - 1 })] as Pair;
  const settlement = { reserved: count, used: whole(random, { low: 0, high: count + 3 }) };
  const joint = ["log", "lent"].map((limit) => ({ limit, count }));
  const calls: readonly ((limiter: Limiter, which: 0 | 1) => unknown)[] = [
    (limiter) => limiter.limit("log", { count }),
    (limiter) => limiter.check("log", { count }),
    (limiter) => limiter.settle("log", settlement),
    (limiter) => limiter.value("log"),
    // In one turn, so that they share a request.
    (limiter) => Promise.all([1, count, 3].map((each) => limiter.limit("log", { count: each }))),
    (limiter) => Promise.all([limiter.settle("log", settlement), limiter.check("log", { count })]),
    (limiter) => limiter.check("lent", { count }),
    (limiter) => limiter.value("lent"),
    async (limiter) => (await limiter.limitAll(joint)).ok,
    async (limiter) => (await limiter.acquire("lent", { count })).ok,
    (_, which) => pair[which].renew(),
    (_, which) => Promise.all(pairs.slice(0, 200).map((one) => one[which].release())),
    // A request has one definition for each budget.
    (limiter, which) => Promise.all([pair[which].release(), limiter.check("lent", { count })]),
    (limiter, which) => Promise.all([pair[which].renew(), limiter.check("lent", { count })]),
  ];
  const high = hasChanged ? calls.length - 3 : calls.length - 1;
  const call = calls[whole(random, { low: 0, high })];
  return Promise.all(both.map((limiter, which) => call?.(limiter, which as 0 | 1)));
}
