/** One limit over regions whose stores are of every make, counted to the unit. */
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Store } from "../../../src/limits/core/index.ts";
import { regionStore } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { until } from "../../servers/until.ts";
import { ONCE } from "../redis/clients.ts";
import { connect, tempFolder } from "../sqlite/drivers.ts";

/** Nothing comes back while the test runs, so that what is admitted in all can be counted to the unit. */
const LIMITS = {
  bucket: { kind: "token bucket", rate: 300, period: "366d" },
  window: { kind: "fixed window", rate: 300, period: "366d", start: 0 },
} as const;
const NAMES = ["ap", "eu", "us"] as const;
const PATIENT = { deadline: 20_000 };

let postgres: PostgresServer;
let redis: RedisNode;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

/** Makes a store of one region, for each process another one. */
type Place = (stack: AsyncDisposableStack, region: string) => Promise<() => Store>;

const places = {
  async postgres(stack, region) {
    const pool = new pg.Pool({ connectionString: postgres.url, max: 3 });
    stack.defer(() => pool.end());
    const schema = `region_${region}_${process.hrtime.bigint()}`;
    await migrate(pool, { schema, unlogged: true });
    return () => postgresStore(pool, { schema, ...PATIENT }) as Store;
  },
  async redis(stack, region) {
    const client = new Redis(redis.port, ONCE);
    stack.defer(() => client.disconnect());
    const prefix = `${region}-${process.hrtime.bigint()}`;
    return () => redisStore(client, { prefix, ...PATIENT }) as Store;
  },
  async sqlite(stack) {
    const path = stack.use(tempFolder()).file("limits.db");
    return () => sqliteStore(stack.use(connect(path))) as Store;
  },
  async memory() {
    const store = memoryStore();
    return () => store as Store;
  },
} satisfies Record<string, Place>;
type Make = keyof typeof places;

type Name = keyof typeof LIMITS;
const MIXTURES: readonly (readonly [Make, Make, Make, Name])[] = [
  ["postgres", "postgres", "postgres", "bucket"],
  ["postgres", "redis", "sqlite", "bucket"],
  ["sqlite", "postgres", "redis", "window"],
  ["redis", "memory", "sqlite", "window"],
];

/** A process in each region, and what all of them admit of a limit. */
async function setUp(stack: AsyncDisposableStack, makes: readonly Make[], name: Name) {
  const making = makes.map((make, at) => places[make](stack, NAMES[at] as string));
  const stores = await Promise.all(making);
  const limiters = NAMES.map((here) => {
    const regions = NAMES.map((region, at) => [region, { store: stores[at]?.(), part: 1 }]);
    const store = regionStore({ here, regions: Object.fromEntries(regions), hold: 60_000 });
    return new RateLimiter(LIMITS, { store });
  });
  const seen = { admitted: 0 };
  /** Asks in one region until it is refused. */
  const drain = async (limiter: (typeof limiters)[number] | undefined) => {
    while ((await limiter?.limit(name, { key: "k" }))?.ok) seen.admitted++;
  };
  return { limiters, seen, drain };
}

test.each(MIXTURES)(
  "regions on %s, %s and %s: of a %s, units are drawn, and none is lost or admitted twice",
  async (one, two, three, name) => {
    await using stack = new AsyncDisposableStack();
    const { limiters, seen, drain } = await setUp(stack, [one, two, three], name);
    const [first] = limiters as [(typeof limiters)[number]];
    // All traffic is in one region: it has its part, and draws from each of the others.
    await drain(first);
    expect(seen.admitted).toBe(100);
    const hasBorrowed = async () => {
      await drain(first);
      const { regions = [] } = await first.value(name, { key: "k" });
      return regions.slice(1).every(({ remaining = 100 }) => remaining < 60);
    };
    await until(hasBorrowed, { what: "units were drawn from both" });
    await first.block(name, { key: "k", for: "1m" });
    for (const limiter of limiters)
      expect(await limiter.limit(name, { key: "k" })).toMatchObject({ reason: "blocked" });
    await first.unblock(name, { key: "k" });
    await Promise.all(limiters.map((limiter) => limiter.giveBack()));
    for (const limiter of limiters) await drain(limiter);
    expect(seen.admitted).toBe(300);
  },
);
