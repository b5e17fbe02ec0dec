import { Cluster, Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type CheckedLimits,
  type Limits,
  RateLimiter,
  type Store,
  type Timing,
} from "../../../src/index.ts";
import type { Lease } from "../../../src/limiter/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { asking } from "../../../src/testing/asking.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { startProxy } from "../../servers/faulty-proxy.ts";
import { startCluster } from "../../servers/redis-cluster.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { until } from "../../servers/until.ts";
import { ONCE } from "./clients.ts";

const LIMITS = {
  jobs: { kind: "concurrency", capacity: 5, ttl: "1m" },
  bucket: { kind: "token bucket", rate: 5, period: "1m" },
} satisfies Limits;
/** Where the state of key "k" is under limit "jobs", with its leases. */
const STATE = "p:{1=k}:jobs";
const key = "k";

let server: RedisNode;
let client: Redis;

beforeAll(async () => {
  server = await startRedis();
  client = new Redis(server.port, ONCE);
});
beforeEach(async () => {
  await client.flushall();
  await client.config("RESETSTAT");
});
afterAll(async () => {
  client.disconnect();
  await server[Symbol.asyncDispose]();
});

const patient = { prefix: "p", deadline: 10_000 };

function open<const L extends Limits = typeof LIMITS>(
  limits: L & CheckedLimits<L> = LIMITS as unknown as L & CheckedLimits<L>,
) {
  const clock = manualClock();
  const store = redisStore(client, { ...patient, clock });
  return { clock, store, limiter: new RateLimiter<L, "later">(limits, { store, warn: () => {} }) };
}

/** A limiter over Redis and one in memory, by one clock. */
function twins<const L extends Limits>(limits: L & CheckedLimits<L>) {
  const { clock, store, limiter } = open<L>(limits);
  const ours = memoryStore({ clock });
  const other = new RateLimiter<L>(limits, { store: ours, warn: () => {} });
  return { clock, stores: [store, ours] as const, both: [limiter, other] as unknown as Both };
}

type AnyLimiter = RateLimiter<Limits, Timing>;
type Both = readonly [AnyLimiter, AnyLimiter];
type Pair = readonly [Lease<Timing>, Lease<Timing>];

/** What a store has said; a lease holds more, and an estimate is the limiter's. */
function said(answer: unknown): unknown {
  if (answer === null || typeof answer !== "object") return answer;
  const { estimatedRetryAfter: _, ...decision } = JSON.parse(JSON.stringify(answer));
  return decision;
}

/** Calls both, the second at once, and expects the same of both. */
async function expectSame(
  [one, other]: Both,
  calls: readonly ((limiter: AnyLimiter) => unknown)[],
): Promise<readonly (readonly [unknown, unknown])[]> {
  const here = calls.map((call) => call(one));
  const there = calls.map((call) => call(other));
  const answers = await Promise.all(here);
  expect(answers.map(said)).toEqual(there.map(said));
  return answers.map((answer, index) => [answer, there[index]]);
}

describe("a busy key", () => {
  /** A lease is over here as well when its ttl is, by the time that goes by meanwhile: little of that. */
  const SLOW = 60;
  const limits = { jobs: { kind: "concurrency", capacity: 50, ttl: 1000 * SLOW } } satisfies Limits;

  /** A call of each kind, on the key and on leases taken in turns before. */
  function sample(random: () => number, pairs: readonly Pair[]) {
    const draw = (many: number) => Math.floor(random() * many);
    const options = { key, count: draw(4), headroom: draw(4) === 0 ? draw(60) : 0 };
    const pair = pairs[draw(pairs.length)];
    const rare = draw(100);
    // Each of the pair is told by its limiter: the first call is on the one over Redis.
    const each = (act: (lease: Lease<Timing>) => unknown) => {
      let side = 0;
      return () => pair && act(pair[side++] as Lease<Timing>);
    };
    const calls: readonly ((limiter: AnyLimiter) => unknown)[] = [
      (limiter) => limiter.acquire("jobs", options),
      (limiter) => limiter.acquire("jobs", options),
      each((lease) => lease.release()),
      each((lease) => lease.release()),
      each((lease) => lease.renew()),
      (limiter) => limiter.check("jobs", { key, count: options.count * 9 }),
      (limiter) => {
        if (rare > 0) return limiter.value("jobs", { key });
        // One in memory forgets on reset a block that is over; what is kept here, a clock brings back.
        limiter.unblock("jobs", { key });
        return limiter.reset("jobs", { key });
      },
      (limiter) =>
        rare === 1
          ? limiter.block("jobs", { key, for: 90 * SLOW })
          : limiter.check("jobs", { key }),
    ];
    return calls[draw(calls.length)] as (limiter: AnyLimiter) => unknown;
  }

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("answers as one in memory, seed %d", async (seed) => {
    const random = seededRandom(seed);
    const { clock, both } = twins(limits);
    const pairs: Pair[] = [];
    for (let turn = 0; turn < 25; turn++) {
      const calls = Array.from({ length: 200 }, () => sample(random, pairs));
      const answers = await expectSame(both, calls);
      const leases = answers.filter(([one]) => typeof one === "object" && "renew" in (one ?? {}));
      pairs.push(...(leases as unknown as Pair[]));
      // Those of long ago are lapsed, and only in the way.
      pairs.splice(0, pairs.length - 300);
      clock.advance(SLOW * (Math.floor(random() * 300) - (turn % 7 === 6 ? 600 : 0)));
    }
  });

  test("answers exactly, however little of its leases is read", async () => {
    const many = { jobs: { kind: "concurrency", capacity: 2000, ttl: "1h" } } satisfies Limits;
    const { clock, both } = twins(many);
    const pairs: Pair[] = [];
    for (let turn = 0; turn < 10; turn++) {
      const calls = Array.from(
        { length: 100 },
        (_, n) => (limiter: AnyLimiter) => limiter.acquire("jobs", { key, count: 1 + (n % 3) }),
      );
      pairs.push(...((await expectSame(both, calls)) as unknown as Pair[]));
      clock.advance(1000);
    }
    for (const count of [1, 2, 7, 100, 500, 1999, 2000]) {
      await expectSame(both, [(limiter) => limiter.check("jobs", { key, count })]);
    }
    // Those in the middle: the first are not read as far as there.
    const middle = pairs.slice(400, 500);
    for (const act of ["renew", "release"] as const) {
      const done = await Promise.all(middle.map(([lease]) => lease[act]()));
      expect(done).toEqual(middle.map(([, lease]) => lease[act]()));
      await expectSame(both, [(limiter) => limiter.check("jobs", { key, count: 900 })]);
    }
  });

  test("takes again in the turn in which it gives back while the clock is back", async () => {
    for (const limit of ["jobs", "bucket"] as const) {
      const { clock, both, stores } = twins(LIMITS);
      const budget = { plan: planFor(limit, LIMITS[limit]), key };
      const lease = limit === "jobs" ? { id: 1, headroom: 0 } : undefined;
      const ask = { ...budget, count: 5, reserve: false, lease };
      const take = (store: Store<Timing>) => asking(store).limit(ask);
      const giveBack = (store: Store<Timing>) =>
        limit === "jobs"
          ? asking(store).release(budget, { id: 1, count: 5 })
          : asking(store).settle(budget, { reserved: 5, used: 0 });
      expect(await take(stores[0])).toEqual(take(stores[1]));
      clock.advance(-100);
      const here = [giveBack(stores[0]), take(stores[0])];
      const there = [giveBack(stores[1]), take(stores[1])];
      expect(await Promise.all(here)).toEqual(there);
      await expectSame(both, [(limiter) => limiter.value(limit, { key })]);
    }
  });

  test("holds what was taken by one id, or by none, as one", async () => {
    const { clock, both, stores } = twins(LIMITS);
    const budget = { plan: planFor("jobs", LIMITS.jobs), key };
    for (const count of [1, 2, 1]) {
      for (const lease of [undefined, { id: 7, headroom: 0 }]) {
        const ask = { ...budget, count, reserve: false, lease };
        expect(await asking(stores[0]).limit(ask)).toEqual(asking(stores[1]).limit(ask));
        await expectSame(both, [(limiter) => limiter.check("jobs", { key, count: 5 })]);
      }
      clock.advance(25_000);
    }
    clock.advance(10_000);
    await expectSame(both, [(limiter) => limiter.acquire("jobs", { key, count: 2 })]);
  });

  test("waits for as many as a narrower limit wants, and not only for the first", async () => {
    const { clock, stores, both } = twins(LIMITS);
    for (let count = 1; count <= 5; count++) {
      await expectSame(both, [(limiter) => limiter.acquire("jobs", { key })]);
      clock.advance(1000);
    }
    const limits = { jobs: { ...LIMITS.jobs, capacity: 2 } };
    const [one, other] = stores.map((store: Store<Timing>) => new RateLimiter(limits, { store }));
    const narrow = [one, other] as unknown as Both;
    await expectSame(narrow, [(limiter) => limiter.value("jobs", { key })]);
    for (const count of [1, 2]) {
      await expectSame(narrow, [(limiter) => limiter.check("jobs", { key, count })]);
    }
    expect(await narrow[0].check("jobs", { key })).toMatchObject({ retryAfter: 58_000 });
  });

  test("waits for what lasts after a lease was renewed or given back in its turn", async () => {
    const { clock, both } = twins(LIMITS);
    const pairs: Pair[] = [];
    for (const count of [3, 1, 1]) {
      const acquire = (limiter: AnyLimiter) => limiter.acquire("jobs", { key, count });
      pairs.push(...((await expectSame(both, [acquire])) as unknown as Pair[]));
      clock.advance(1000);
    }
    const [here, there] = pairs[0] as Pair;
    for (const [act, count] of [
      ["renew", 1],
      ["renew", 2],
      ["release", 4],
    ] as const) {
      const done = here[act]();
      const wait = both[0].check("jobs", { key, count });
      expect(await done).toBe(there[act]());
      expect(said(await wait)).toEqual(said(both[1].check("jobs", { key, count })));
    }
  });

  test("lets leases last as long as they would have when the clock went back far", async () => {
    const { clock, both } = twins(LIMITS);
    const leases: Pair[] = [];
    for (const count of [1, 2, 2]) {
      const acquire = (limiter: AnyLimiter) => limiter.acquire("jobs", { key, count });
      leases.push(...((await expectSame(both, [acquire])) as unknown as Pair[]));
      clock.advance(7000);
    }
    clock.advance(-1_000_000_000);
    for (const pause of [0, 0, 45_999, 1, 6999, 1, 6999, 1]) {
      clock.advance(pause);
      await expectSame(both, [(limiter) => limiter.check("jobs", { key, count: 2 })]);
    }
    for (const [here, there] of leases) expect(await here.renew()).toBe(there.renew());
  });

  test("forgets what was over before the limit changed and the clock went back", async () => {
    const { clock, stores, both } = twins(LIMITS);
    await expectSame(both, [(limiter) => limiter.acquire("jobs", { key })]);
    clock.advance(60_000);
    const limits = { jobs: { ...LIMITS.jobs, ttl: "50s" } } satisfies Limits;
    const [one, other] = stores.map((store: Store<Timing>) => new RateLimiter(limits, { store }));
    const changed = [one, other] as unknown as Both;
    // A block keeps a state that would else be forgotten here.
    await expectSame(changed, [(limiter) => limiter.block("jobs", { key, for: "1m" })]);
    clock.advance(-100);
    await expectSame(changed, [
      (limiter) => limiter.unblock("jobs", { key }),
      (limiter) => limiter.acquire("jobs", { key }),
    ]);
    await expectSame(changed, [(limiter) => limiter.value("jobs", { key })]);
  });

  test("tells leases and logs of one turn apart", async () => {
    const log = { kind: "sliding log", rate: 5, period: "1m" } as const;
    const { clock, both } = twins({ ...LIMITS, log });
    const all = ["log", "jobs", "bucket"].flatMap((limit) =>
      ["a", "b"].map((key) => ({ limit, key, count: key === "a" ? 2 : 1 })),
    );
    for (let turn = 0; turn < 4; turn++) {
      const looks = all.map(
        ({ limit, ...ask }) =>
          (limiter: AnyLimiter) =>
            limiter.check(limit, ask),
      );
      await expectSame(both, [(limiter) => limiter.limitAll(all), ...looks]);
      clock.advance(19_000);
    }
  });
});

describe("the key of leases", () => {
  test("expires when nothing can be in flight any more", async () => {
    const limiter = new RateLimiter(LIMITS, { store: redisStore(client, patient) });
    for (let count = 1; count <= 3; count++) {
      const { resetAfter } = await limiter.acquire("jobs", { key });
      const left = await client.pttl(STATE);
      expect(left).toBeLessThanOrEqual(resetAfter);
      // What has passed since the answer was made.
      expect(left).toBeGreaterThan(resetAfter - 10_000);
    }
  });

  test("is gone with the last lease, and none is made by a look or a refusal", async () => {
    const { limiter } = open();
    const leases = [
      await limiter.acquire("jobs", { key, count: 2 }),
      await limiter.acquire("jobs", { key }),
    ];
    for (const lease of leases) {
      expect(await client.keys("*")).toEqual([STATE]);
      await lease.release();
    }
    await limiter.acquire("jobs", { key, count: 6 });
    await limiter.check("jobs", { key });
    await limiter.value("jobs", { key });
    await leases[0]?.renew();
    expect(await client.keys("*")).toEqual([]);
    await limiter.acquire("jobs", { key });
    await limiter.reset("jobs", { key });
    expect(await client.keys("*")).toEqual([]);
  });

  test("holds no lease whose time is over, once another was taken", async () => {
    const { clock, limiter } = open();
    await limiter.acquire("jobs", { key });
    const one = await client.strlen(STATE);
    for (let count = 2; count <= 3; count++) await limiter.acquire("jobs", { key });
    clock.advance(60_000);
    await limiter.acquire("jobs", { key });
    // With a byte for what follows the numbers, and 17 for the lease.
    expect(await client.strlen(STATE)).toBe(one);
  });

  test("holds nothing of what is given back in the turn in which all begins anew", async () => {
    const { store } = open();
    const budget = { plan: planFor("jobs", LIMITS.jobs), key };
    const take = (id: number) =>
      asking(store).limit({ ...budget, count: 1, reserve: false, lease: { id, headroom: 0 } });
    await take(1);
    const one = await client.strlen(STATE);
    await Promise.all([
      asking(store).reset(budget),
      take(2),
      asking(store).release(budget, { id: 2, count: 1 }),
      take(3),
    ]);
    expect(await client.strlen(STATE)).toBe(one);
    expect(await asking(store).release(budget, { id: 3, count: 1 })).toBe(true);
  });

  test("holds those of the kind that the limit has, whatever it was before", async () => {
    const { clock, store } = open();
    const log = { kind: "sliding log", rate: 5, period: "1m" } as const;
    const of = (config: Limits[string]) => new RateLimiter({ jobs: config } as Limits, { store });
    await of(log).limit("jobs", { key, count: 3 });
    await of(LIMITS.jobs).acquire("jobs", { key });
    expect(await of(log).limit("jobs", { key })).toMatchObject({ ok: true, remaining: 0 });
    expect(await of(LIMITS.jobs).value("jobs", { key })).toMatchObject({ remaining: 0 });
    expect(await of(LIMITS.bucket).value("jobs", { key })).toMatchObject({ remaining: 0 });
    // Its own state goes on, whatever a bucket has back by then.
    clock.advance(36_000);
    expect(await of(LIMITS.jobs).value("jobs", { key })).toMatchObject({ remaining: 0 });
    clock.advance(23_999);
    expect(await of(LIMITS.jobs).value("jobs", { key })).toMatchObject({ remaining: 0 });
    clock.advance(1);
    expect(await of(LIMITS.jobs).value("jobs", { key })).toMatchObject({ remaining: 5 });
  });

  test("may be evicted: then nothing is held any more", async () => {
    const { limiter } = open();
    const lost = await limiter.acquire("jobs", { key, count: 4 });
    await client.del(STATE);
    expect(await lost.release()).toBe(false);
    expect(await limiter.acquire("jobs", { key })).toMatchObject({ ok: true, remaining: 4 });
  });
});

test("a lease is given back where another place of a cluster refuses", async () => {
  await using cluster = await startCluster();
  const nodes = cluster.ports.map((port) => ({ host: "127.0.0.1", port }));
  const across = new Cluster(nodes, { redisOptions: ONCE, retryDelayOnFailover: 0 });
  await using _closing = { [Symbol.asyncDispose]: async () => across.disconnect() };
  const limiter = new RateLimiter(LIMITS, { store: redisStore(across, patient) });
  // Places are taken in order: slot 3512 for "b", then 15835 for "a".
  const both = [
    { limit: "jobs", key: "a" },
    { limit: "jobs", key: "b" },
  ] as const;
  expect(await limiter.limitAll(both)).toMatchObject({ ok: true });
  const busy = await limiter.acquire("jobs", { key: "a", count: 4 });
  const refused = await limiter.limitAll(both);
  expect(refused).toMatchObject({ ok: false, limit: "jobs", lease: undefined });
  expect(refused.decisions.map(({ ok }) => ok)).toEqual([false, true]);
  expect(refused.decisions[1]).toMatchObject({ remaining: 4 });
  await busy.release();
  expect(await limiter.value("jobs", { key: "a" })).toMatchObject({ remaining: 4 });
  expect(await limiter.value("jobs", { key: "b" })).toMatchObject({ remaining: 4 });
  const again = await limiter.limitAll(both);
  expect(again).toMatchObject({ ok: true, remaining: 3 });
  expect(await again.lease?.release()).toBe(true);
});

test("a lease whose answer is late is given back", async () => {
  await using proxy = await startProxy(server.port);
  const slow = new Redis(proxy.port, ONCE);
  using _closing = { [Symbol.dispose]: () => slow.disconnect() };
  const limits = { jobs: { ...LIMITS.jobs, ttl: "1d" } } satisfies Limits;
  const breaker = { failures: 1000 };
  const store = redisStore(slow, { prefix: "p", deadline: 200, breaker });
  const limiter = new RateLimiter(limits, { store });
  await until(async () => (await limiter.check("jobs", { key })).degraded === undefined, {
    what: "the script is known and asked in time",
  });
  proxy.delay(600);
  const late = await Promise.all([
    limiter.acquire("jobs", { key, count: 3 }),
    limiter.limitAll([{ limit: "jobs", key, count: 2 }]),
  ]);
  expect(late.map(({ ok, degraded }) => [ok, degraded])).toEqual(Array(2).fill([false, true]));
  await until(async () => (await client.info("commandstats")).includes("cmdstat_psetex:"), {
    what: "the leases were lent all the same",
  });
  const near = new RateLimiter(limits, { store: redisStore(client, patient) });
  await until(async () => (await near.value("jobs", { key })).remaining === 5, {
    what: "all of them are back",
  });
});
