/** A key's leases, by the shorter part of the script and by the rest of it in turn: as in memory. */
import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { type Limits, RateLimiter, type Timing } from "../../../src/index.ts";
import type { Lease } from "../../../src/limiter/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { redisStore, type StoreEvent } from "../../../src/stores/redis/index.ts";
import { asking } from "../../../src/testing/asking.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { ONCE } from "./clients.ts";
import { monitored, ownRedis } from "./own-redis.ts";

const JOBS = { kind: "concurrency", capacity: 40, ttl: "1m" } as const;
const key = "k";
const patient = { prefix: "p", deadline: 10_000 };

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

type AnyLimiter = RateLimiter<Limits, Timing>;
type Pair = readonly [Lease<Timing>, Lease<Timing>];

/** What a store has said; an estimate is the limiter's. */
function said(answer: unknown): unknown {
  if (answer === null || typeof answer !== "object") return answer;
  const { estimatedRetryAfter: _, ...decision } = JSON.parse(JSON.stringify(answer));
  return decision;
}

/** Limiters over Redis and in memory, by one clock, and what both are asked. */
function twins() {
  const clock = manualClock();
  const stores = [redisStore(client, { ...patient, clock }), memoryStore({ clock })] as const;
  const limitersOf = (jobs: Limits[string]) =>
    stores.map(
      (store) => new RateLimiter({ jobs }, { store, warn: () => {} }),
    ) as unknown as readonly [AnyLimiter, AnyLimiter];
  let both = limitersOf(JOBS);
  /** One call, alone in its request, of both. */
  const same = async (call: (limiter: AnyLimiter, side: 0 | 1) => unknown) => {
    const pair = [await call(both[0], 0), await call(both[1], 1)] as const;
    expect(said(pair[0])).toEqual(said(pair[1]));
    return pair as unknown as Pair;
  };
  const acquire = (options: { count?: number; headroom?: number } = {}) =>
    same((limiter) => limiter.acquire("jobs", { key, ...options }));
  const each = (pair: Pair, act: "release" | "renew") => same((_, side) => pair[side][act]());
  /** What the shorter part does: takes, refuses, renews and releases, with some time between. */
  const ordinary = async () => {
    const [one, two] = [await acquire(), await acquire({ count: 3 })];
    clock.advance(10);
    await each(one, "renew");
    await acquire({ headroom: 40 });
    await acquire({ count: 39 });
    await each(one, "release");
    clock.advance(20);
    await each(one, "renew");
    await each(two, "release");
    await same((limiter) => limiter.value("jobs", { key }));
  };
  const define = (jobs: Limits[string]) => {
    both = limitersOf(jobs);
  };
  return { clock, same, acquire, each, ordinary, define };
}

type Twins = ReturnType<typeof twins>;

/** What makes a state unusual, and what ends that. */
const UNUSUAL: Readonly<Record<string, readonly ((twins: Twins) => unknown)[]>> = {
  "a block": [
    ({ same }) => same((limiter) => limiter.block("jobs", { key, for: "5s" })),
    ({ clock }) => clock.advance(5000),
    ({ same }) => same((limiter) => limiter.unblock("jobs", { key })),
  ],
  "another definition": [
    ({ define }) => define({ ...JOBS, ttl: "30s" }),
    ({ define }) => define({ ...JOBS, capacity: 2 }),
    ({ define }) => define(JOBS),
    ({ clock }) => clock.advance(200_000),
  ],
  "a list apart": [
    async ({ acquire }) => {
      for (let count = 0; count < 18; count++) await acquire();
    },
    ({ clock }) => clock.advance(59_990),
    ({ clock }) => clock.advance(60_000),
  ],
  "a clock that goes back": [
    ({ clock }) => clock.advance(-15),
    ({ clock }) => clock.advance(-100_000),
    ({ clock }) => clock.advance(200_000),
  ],
  "leases that end": [
    ({ clock }) => clock.advance(59_980),
    ({ clock }) => clock.advance(10),
    ({ clock }) => clock.advance(10),
    ({ clock }) => clock.advance(60_000),
  ],
  "many units": [
    ({ define, clock }) => {
      define({ ...JOBS, capacity: 20_000_000 });
      clock.advance(200_000);
    },
    ({ acquire }) => acquire({ count: 16_777_200 }),
    ({ acquire }) => acquire({ count: 15 }),
    ({ acquire }) => acquire({ count: 1 }),
    ({ clock }) => clock.advance(200_000),
  ],
};

test.each(Object.keys(UNUSUAL))("%s, and all is usual again", async (what) => {
  const scene = twins();
  await using monitor = await monitored(client);
  await scene.ordinary();
  for (let held = 0; held < 3; held++) {
    await scene.acquire();
    scene.clock.advance(5);
  }
  for (const act of UNUSUAL[what] ?? []) {
    await act(scene);
    await scene.ordinary();
  }
  const before = await monitor.take();
  // The shorter part reads by GET, and only the rest of the script by MGET.
  expect(before.some(([verb]) => verb === "MGET")).toBe(true);
  scene.define(JOBS);
  scene.clock.advance(200_000);
  await scene.acquire();
  await monitor.take();
  const lease = await scene.acquire();
  await scene.each(lease, "renew");
  await scene.each(lease, "release");
  const verbs = (await monitor.take()).map(([verb]) => verb);
  expect(verbs.filter((verb) => verb === "GET")).toHaveLength(3);
  expect(verbs).not.toContain("MGET");
});

test("a refusal waits for leases shown as one, after the newest was released", async () => {
  const { clock, same, acquire, define } = twins();
  define({ ...JOBS, capacity: 3 });
  await acquire({ count: 2 });
  clock.advance(1000);
  const newest = await acquire();
  await same(async (limiter, side) => {
    const answers = [
      limiter.check("jobs", { key, count: 2 }),
      newest[side].release(),
      limiter.check("jobs", { key, count: 2 }),
    ];
    return (await Promise.all(answers)).map(said);
  });
});

/** A release that failed is sent again, so each test has a key of its own. */
describe.each(["take", "release", "renew"] as const)("a %s", (name) => {
  test("fails on a key that holds something else, and keeps it", async () => {
    const budget = { plan: planFor("jobs", JOBS), key: name };
    const state = `p:{${name.length}=${name}}:jobs`;
    const lease = { id: 7, count: 1 };
    const ask = { ...budget, count: 1, reserve: false, lease: { id: 7, headroom: 0 } };
    const failureOf = async () => {
      const failures: string[] = [];
      const onEvent = (event: StoreEvent) =>
        event.type === "failed" && failures.push(String(event.error));
      const store = asking(redisStore(client, { ...patient, onEvent }));
      const answer = name === "take" ? store.limit(ask) : store[name](budget, lease);
      await Promise.resolve<unknown>(answer).catch(() => {});
      return failures[0];
    };
    await asking(redisStore(client, patient)).limit(ask);
    const value = (await client.getBuffer(state)) as Buffer;
    const foreign = [
      Buffer.from("mine"),
      Buffer.from("x".repeat(value.length)),
      value.subarray(0, 12),
      value.subarray(0, value.length - 1),
      Buffer.concat([value, Buffer.from("more")]),
    ];
    for (const text of foreign) {
      await client.set(state, text);
      expect(await failureOf()).toContain("did not write");
      expect(await client.getBuffer(state)).toEqual(text);
    }
    await client.del(state);
    await client.rpush(state, "mine");
    expect(await failureOf()).toContain("did not write");
    expect(await client.lrange(state, 0, -1)).toEqual(["mine"]);
  });
});

test("a key of another type fails alone, among several of one request", async () => {
  const plan = planFor("jobs", JOBS);
  await client.rpush("p:{4=list}:jobs", "mine");
  const store = asking(redisStore(client, patient));
  const take = (key: string) =>
    store.limit({ plan, key, count: 1, reserve: false, lease: { id: 7, headroom: 0 } });
  const [one, list, other] = await Promise.all(["one", "list", "other"].map(take));
  expect(list).toMatchObject({ ok: false, degraded: true });
  for (const taken of [one, other]) expect(taken).toMatchObject({ ok: true, remaining: 39 });
  expect(await client.lrange("p:{4=list}:jobs", 0, -1)).toEqual(["mine"]);
});

test("a user without the right to GET is served by the rest of the script", async () => {
  await client.call("ACL", "SETUSER", "limiter", "on", ">password", "~*", "+@all", "-get");
  const user = { username: "limiter", password: "password" };
  const guest = new Redis(client.options.port as number, { ...ONCE, ...user });
  const limiter = new RateLimiter({ jobs: JOBS }, { store: redisStore(guest, patient) });
  try {
    const lease = await limiter.acquire("jobs", { key });
    expect(lease).toMatchObject({ ok: true, remaining: 39, degraded: undefined });
    expect(await lease.renew()).toBe(true);
    expect(await lease.release()).toBe(true);
  } finally {
    guest.disconnect();
  }
});
