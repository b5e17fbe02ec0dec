/** What Redis keeps of a key's override, and long lists under one: answers as in memory. */
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Command, Limit, Plan, Random } from "../../../src/limits/core/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { compareTurns } from "../../../src/testing/compare-turns.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { FIRST_SEED, runs } from "../../runs.ts";
import { ownRedis } from "./own-redis.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const key = "k";
const STATE = "p:{1=k}:it";

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

function limiterOf(it: Limit) {
  return new RateLimiter({ it }, { store: redisStore(client, { prefix: "p", deadline: 10_000 }) });
}

test("a key lasts for as long as its override, and no longer once that has ended", async () => {
  const limiter = limiterOf({ kind: "token bucket", rate: 5, period: 1 });
  await limiter.override("it", { key, rate: 9, for: "30d" });
  expect(await client.pttl(STATE)).toBeGreaterThan(29 * DAY);
  await limiter.reset("it", { key });
  expect(await client.pttl(STATE)).toBeGreaterThan(29 * DAY);
  await limiter.endOverride("it", { key });
  expect(await client.pttl(STATE)).toBeLessThan(HOUR);
});

test("an override is kept in the state itself, in few bytes", async () => {
  const limiter = limiterOf({ kind: "token bucket", rate: 5, period: "1h" });
  await limiter.limit("it", { key, count: 2 });
  const alone = await client.strlen(STATE);
  await limiter.override("it", { key, rate: 9 });
  expect(await client.keys("p:{1*")).toEqual([STATE]);
  expect(await client.strlen(STATE)).toBeLessThan(alone + 100);
});

test("an end that is no number is none of ours", async () => {
  const limiter = limiterOf({ kind: "token bucket", rate: 5, period: "1h" });
  await limiter.override("it", { key, rate: 9 });
  const value = (await client.getBuffer(STATE)) as Buffer;
  // The first element of the list, 64 bits, becomes as many bytes of text.
  const at = value.indexOf(0xcf);
  await client.set(
    STATE,
    Buffer.concat([value.subarray(0, at), Buffer.from([0xa8]), value.subarray(at + 1)]),
  );
  expect(await limiter.limit("it", { key })).toMatchObject({ degraded: true });
});

/** Carries out commands on Redis and in memory, and expects the same of both. */
async function expectSame(commands: readonly (Command | number)[]): Promise<void> {
  const clock = manualClock();
  const far = redisStore(client, { clock, prefix: "p", deadline: 10_000 });
  const near = memoryStore({ clock });
  for (const [step, command] of commands.entries()) {
    if (typeof command === "number") clock.advance(command);
    else expect(await far.execute(command), `step ${step}`).toEqual(near.execute(command));
  }
}

test("a reset lets the windows of an override stay where they are", async () => {
  for (const kind of ["fixed window", "sliding window"] as const) {
    const [base, own] = [1000, 730].map((period) => planFor(kind, { kind, rate: 5, period }));
    const budgets = [{ plan: base as Plan, key }] as const;
    const value = { verb: "value", budgets } as const;
    await expectSame([
      { verb: "override", budgets, plan: own as Plan, ms: HOUR },
      asking(base as Plan, 2),
      1234,
      { verb: "reset", budgets },
      asking(base as Plan, 3),
      value,
      430,
      value,
    ]);
  }
});

/** What was found by chance once. */
test.each([113, 376])(
  "an answer knows of an end for which others leave no room, seed %d",
  async (seed) => {
    const clock = manualClock();
    const store = redisStore(client, { clock, prefix: "p", deadline: 10_000 });
    await compareTurns({ store, ours: memoryStore({ clock }), clock, seed });
  },
);

const MANY = 600;
const TTL = 20_000;
const LISTS: readonly (readonly Limit[])[] = [
  [
    { kind: "sliding log", rate: 500, period: TTL },
    { kind: "sliding log", rate: 700, period: TTL },
    { kind: "sliding log", rate: 400, period: TTL / 2 },
    { kind: "token bucket", rate: 600, period: TTL },
  ],
  [
    { kind: "concurrency", capacity: 500, ttl: TTL },
    { kind: "concurrency", capacity: 700, ttl: TTL },
    { kind: "concurrency", capacity: 400, ttl: TTL / 2 },
  ],
];

let ids = 0;

function asking(plan: Plan, count: number, verb: "limit" | "check" = "limit"): Command {
  const lease = plan.kind === "concurrency" ? { id: ++ids, headroom: 0 } : undefined;
  return { verb, budgets: [{ plan, key, count, reserve: false, lease }] };
}

/** A call under the first of the plans, or the start or the end of an override by another one. */
function sample(random: Random, plans: readonly Plan[]): Command {
  const below = (most: number) => Math.floor(random() * most);
  const plan = plans[0] as Plan;
  const budgets = [{ plan, key }] as const;
  const own = plans[below(plans.length)] as Plan;
  const lease = { id: 1 + below(ids), count: 1 + below(2) };
  const large = random() < 0.5 ? below(3) : below(500);
  const calls: readonly Command[] = [
    asking(plan, large),
    asking(plan, large),
    asking(plan, large, "check"),
    { verb: "value", budgets },
    plan.kind === "concurrency"
      ? { verb: below(2) === 0 ? "renew" : "release", budgets, lease }
      : { verb: "settle", budgets, settlement: { reserved: 3, used: below(6) } },
    { verb: "override", budgets, plan: own, ms: below(3) * 2000 },
    below(9) === 0 ? { verb: "reset", budgets } : asking(plan, 1),
  ];
  return calls[below(calls.length)] as Command;
}

const cases = Array.from({ length: runs(3) }, (_, index) => FIRST_SEED + index).flatMap((seed) =>
  LISTS.map((limits) => [limits[0]?.kind, seed, limits] as const),
);
test.each(cases)(
  "hundreds of entries of a %s under an override, seed %d",
  async (_, seed, limits) => {
    ids = 0;
    const random = seededRandom(seed);
    const clock = manualClock();
    const stores = [
      redisStore(client, { clock, prefix: "p", deadline: 10_000 }),
      memoryStore({ clock }),
    ];
    const plans = limits.map((limit) => planFor("it", limit));
    const both = (command: Command) => Promise.all(stores.map((store) => store.execute(command)));
    for (let entry = 0; entry < MANY; entry += 5) {
      await Promise.all([1, 2, 1, 2, 1].map((count) => both(asking(plans[0] as Plan, count))));
      clock.advance(1 + Math.floor(random() * 200));
    }
    for (let step = 0; step < 100; step++) {
      const command = sample(random, plans);
      const [far, near] = await both(command);
      expect(far, `step ${step}, ${JSON.stringify(command)}`).toEqual(near);
      clock.advance(random() < 0.5 ? 0 : Math.floor(random() * 600));
    }
  },
);
