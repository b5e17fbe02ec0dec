/** Long logs in shards, and long logs whose refusals are cached, beside a store in memory. */
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import {
  type AnswerTo,
  type Command,
  MINUTE,
  type Store,
  type Timing,
} from "../../../src/limits/core/index.ts";
import { sharded } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { whole } from "../../../src/testing/sample.ts";
import { compareLongLists } from "../long-lists.ts";
import { ownRedis } from "./own-redis.ts";

const HOUR = 60 * MINUTE;
const ENTRIES = 1500;

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

/** How often the script has been run. */
async function scriptCalls(): Promise<number> {
  const stats = await client.info("commandstats");
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

/** Answers later what another answers at once, so that shards above it do the same as above Redis. */
function later(store: Store<"now">): Store<"later"> {
  return {
    timing: "later",
    execute: async <C extends Command>(command: C): Promise<AnswerTo<C>> => store.execute(command),
  };
}

const limitsOf = (rate: number) =>
  ({ it: { kind: "sliding log", rate, period: HOUR, shards: 3 } }) as const;

/** A sharded limit on Redis and one in memory, which draw the same shards. */
function both(seed: number) {
  const clock = manualClock();
  const stores: readonly Store<Timing>[] = [
    redisStore(client, { clock, prefix: "p", deadline: 10_000, random: seededRandom(seed) }),
    sharded(later(memoryStore({ clock })), seededRandom(seed)),
  ];
  const limitersOf = (rate: number) =>
    stores.map((store) => new RateLimiter(limitsOf(rate), { store, warn: () => {} }));
  return { clock, limitersOf };
}

type Limiter = ReturnType<ReturnType<typeof both>["limitersOf"]>[number];

test.each([1, 2, 3])("long logs in shards answer as in memory, seed %d", async (seed) => {
  const random = seededRandom(1000 + seed);
  const { clock, limitersOf } = both(seed);
  let limiters = limitersOf(2 * ENTRIES);
  const expectSame = async (call: (limiter: Limiter) => unknown, where: string) => {
    const [ours, theirs] = [await call(limiters[0] as Limiter), await call(limiters[1] as Limiter)];
    expect(ours, `seed ${seed}, ${where}`).toEqual(theirs);
  };
  for (let entry = 0; entry < ENTRIES; entry++) {
    const count = whole(random, { low: 1, high: 2 });
    clock.advance(whole(random, { low: 1, high: 1000 }));
    await expectSame((limiter) => limiter.limit("it", { count }), `entry ${entry}`);
  }
  for (let step = 0; step < 100; step++) {
    const count = whole(random, { low: 0, high: random() < 0.5 ? 5 : ENTRIES });
    const settlement = { reserved: count, used: whole(random, { low: 0, high: count + 3 }) };
    const calls: readonly ((limiter: Limiter) => unknown)[] = [
      (limiter) => limiter.limit("it", { count }),
      (limiter) => limiter.check("it", { count }),
      (limiter) => limiter.value("it"),
      (limiter) => limiter.settle("it", settlement),
      (limiter) => limiter.limit("it"),
    ];
    const which = whole(random, { low: 0, high: calls.length - 1 });
    await expectSame(calls[which] as (typeof calls)[0], `step ${step}, call ${which} of ${count}`);
    clock.advance(random() < 0.3 ? 0 : whole(random, { low: 0, high: HOUR / 30 }));
    if (step === 40) clock.advance(-whole(random, { low: 0, high: HOUR / 2 }));
    if (step === 60) limiters = limitersOf(3 * ENTRIES);
    if (step === 80) limiters = limitersOf(ENTRIES);
  }
});

test("what a key in shards has left is read without its entries", async () => {
  const { clock, limitersOf } = both(1);
  const [ours] = limitersOf(2 * ENTRIES) as [Limiter];
  for (let entry = 0; entry < 300; entry++) {
    clock.advance(1);
    await ours.limit("it");
  }
  await client.config("RESETSTAT");
  const output = async () =>
    Number(/total_net_output_bytes:(\d+)/.exec(await client.info("stats"))?.[1]);
  const before = await output();
  expect(await ours.value("it")).toMatchObject({ remaining: 2 * ENTRIES - 300 });
  // 300 entries would be some 3000 bytes; INFO itself is more than that.
  const [between, after] = [await output(), await output()];
  expect(between - before - (after - between)).toBeLessThan(1000);
});

test.each([1, 2, 3])(
  "long logs whose refusals are cached answer as in memory, seed %d",
  async (seed) => {
    const clock = manualClock();
    const denialCache = { maxAge: HOUR, clock };
    const store = redisStore(client, { clock, prefix: "p", deadline: 10_000, denialCache });
    await compareLongLists({ store, clock, seed, entries: ENTRIES });
    // Of what is refused again the same, nothing is asked.
    const limits = { log: { kind: "sliding log", rate: ENTRIES / 2, period: HOUR / 2 } } as const;
    const limiter = new RateLimiter(limits, { store });
    const refused = async () => await limiter.check("log", { count: ENTRIES / 2 });
    await limiter.limit("log");
    await refused();
    const before = await scriptCalls();
    expect(await refused()).toMatchObject({ ok: false, reason: "limited" });
    expect(await scriptCalls()).toBe(before);
  },
  60_000,
);
