import { Cluster } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Limits, RateLimiter, type Timing } from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { type RedisCluster, startCluster } from "../../servers/redis-cluster.ts";
import { ONCE } from "./clients.ts";

const LIMITS = {
  bucket: { kind: "token bucket", rate: 7, period: 1000 },
  window: { kind: "fixed window", rate: 7, period: 1000, start: 0 },
  blurred: { kind: "sliding window", rate: 7, period: 1000, start: 0 },
  log: { kind: "sliding log", rate: 7, period: 1000 },
  queue: { kind: "leaky bucket", rate: 7, period: 1000 },
} satisfies Limits;
const NAMES = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

let cluster: RedisCluster;
let client: Cluster;
let stores = 0;

beforeAll(async () => {
  cluster = await startCluster();
  client = new Cluster(
    cluster.ports.map((port) => ({ host: "127.0.0.1", port })),
    {
      redisOptions: ONCE,
    },
  );
});
afterAll(async () => {
  client.disconnect();
  await cluster[Symbol.asyncDispose]();
});

const open = (clock = manualClock()) =>
  redisStore(client, { clock, prefix: `across-${stores++}`, deadline: 10_000 });

/** Three asks on three keys, which live in three places. */
function sample(random: () => number) {
  const draw = (many: number) => Math.floor(random() * many);
  return ["a", "b", "c"].map((key) => ({
    // Two queues in two places can't be taken back; one can be asked last.
    limit: NAMES[key === "a" ? draw(5) : draw(4)] as keyof typeof LIMITS,
    key,
    count: draw(4),
  }));
}

describe("limits that are kept in different places", () => {
  test.each([1, 2, 3, 4, 5])("answer as in one place, seed %d", async (seed) => {
    const random = seededRandom(seed);
    const clock = manualClock();
    const here: RateLimiter<typeof LIMITS, Timing> = new RateLimiter(LIMITS, {
      store: open(clock),
    });
    const there = new RateLimiter(LIMITS, { store: memoryStore({ clock }) });
    for (let step = 0; step < 100; step++) {
      const asks = sample(random);
      expect(await here.checkAll(asks)).toEqual(there.checkAll(asks));
      expect(await here.limitAll(asks)).toEqual(there.limitAll(asks));
      clock.advance(Math.floor(random() * 200));
    }
  });

  test("never admit more than there is, whoever else takes at the same time", async () => {
    const store = open();
    const limiters = [1, 2, 3].map(() => new RateLimiter(LIMITS, { store }));
    const asks = (n: number) =>
      ["a", "b", "c"].map((key) => ({ limit: NAMES[n % 4] as keyof typeof LIMITS, key }));
    const rounds = Array.from({ length: 40 }, (_, n) =>
      Promise.all(limiters.map((limiter) => limiter.limitAll(asks(n)))),
    );
    const decisions = (await Promise.all(rounds)).flat();
    for (const name of NAMES.slice(0, 4)) {
      const admitted = decisions.filter(({ ok, limit }) => ok && limit === name).length;
      expect(admitted).toBeLessThanOrEqual(7);
      expect(admitted).toBeGreaterThan(0);
      for (const key of ["a", "b", "c"]) {
        const { remaining } = await (limiters[0] as RateLimiter<typeof LIMITS, "later">).value(
          name,
          { key },
        );
        expect(remaining).toBe(7 - admitted);
      }
    }
  });

  test("share a place where a tag says so, and are taken in one call", async () => {
    const store = redisStore(client, { prefix: "tagged", tag: () => "org", deadline: 10_000 });
    const limiter = new RateLimiter(LIMITS, { store });
    const asks = ["a", "b", "c"].map((key) => ({ limit: "bucket" as const, key }));
    const joint = await Promise.all(Array.from({ length: 9 }, () => limiter.limitAll(asks)));
    expect(joint.map(({ ok }) => ok)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test("spread the shards of one key, which hold to its bound together", async () => {
    const limits = { hot: { kind: "token bucket", rate: 100, period: "1h", shards: 10 } } as const;
    const limiter = new RateLimiter(limits, { store: open() });
    const asks = Array.from({ length: 130 }, () => limiter.limit("hot", { key: "k" }));
    const admitted = (await Promise.all(asks)).filter(({ ok }) => ok).length;
    expect(admitted).toBeLessThanOrEqual(100);
    let more = 0;
    while ((await limiter.limit("hot", { key: "k" })).ok) more++;
    expect(admitted + more).toBe(100);
    const nodes = await Promise.all(client.nodes("master").map((node) => node.dbsize()));
    expect(nodes.every((keys) => keys > 0)).toBe(true);
  });
});
