/** Many keys asked for in one turn: in a cluster each is a request, and a node is sent few of them at once. */
import { GlideClusterClient, Logger } from "@valkey/valkey-glide";
import { Cluster } from "ioredis";
import { createCluster } from "redis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { type RedisClient, redisStore, type StoreEvent } from "../../../src/stores/redis/index.ts";
import { type RedisCluster, startCluster } from "../../servers/redis-cluster.ts";
import { ONCE } from "./clients.ts";

const LIMITS = { orders: { kind: "token bucket", rate: 5, period: "366d" } } as const;
const KEYS = 3000;
const MASTERS = 3;
/** Requests: a range of slots is a node to a client that shows none. */
const MOST = { node: 32, range: 4 };

Logger.init("off");

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startCluster({ masters: MASTERS, replicas: 0 });
});
afterAll(() => cluster[Symbol.asyncDispose]());

type Opened = { readonly client: RedisClient; readonly close: () => unknown };

const MAKES: Readonly<Record<string, () => Promise<Opened>>> = {
  async ioredis() {
    const client = new Cluster(addresses(), { redisOptions: ONCE, retryDelayOnFailover: 0 });
    return { client, close: () => client.disconnect() };
  },
  async "node-redis"() {
    const client = createCluster({ rootNodes: cluster.urls.map((url) => ({ url })) });
    client.on("error", () => {});
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  async "valkey-glide"() {
    const settings = {
      requestTimeout: 60_000,
      advancedConfiguration: { connectionTimeout: 60_000 },
    };
    const client = await GlideClusterClient.createClient({ addresses: addresses(), ...settings });
    return { client, close: () => client.close() };
  },
};

const addresses = () => cluster.ports.map((port) => ({ host: "127.0.0.1", port }));

/** Counts how many calls of a client's method are in flight at once, at most. */
function counting(client: RedisClient): () => number {
  const methods = client as unknown as Record<string, (...all: unknown[]) => Promise<unknown>>;
  let [inFlight, most] = [0, 0];
  for (const name of ["evalsha", "evalSha", "customCommand"]) {
    const method = methods[name];
    if (method === undefined) continue;
    methods[name] = (...all) => {
      most = Math.max(most, ++inFlight);
      return method.apply(client, all).finally(() => inFlight--);
    };
  }
  return () => most;
}

test.each(Object.entries(MAKES))("%s: all are answered, a few at a time", async (make, open) => {
  const { client, close } = await open();
  using _closing = { [Symbol.dispose]: () => void close() };
  const most = counting(client);
  const events: StoreEvent[] = [];
  // No answer is late here, however busy the machine.
  const store = redisStore(client, { deadline: 30_000, onEvent: (event) => events.push(event) });
  const limiter = new RateLimiter(LIMITS, { store });
  const keys = Array.from({ length: KEYS }, (_, n) => `${make} ${n}`);
  const decisions = await Promise.all(keys.map((key) => limiter.limit("orders", { key })));
  expect(events).toEqual([]);
  expect(decisions.every(({ ok, remaining }) => ok && remaining === 4)).toBe(true);
  const bound = make === "valkey-glide" ? MOST.range * 16 : MOST.node * MASTERS;
  expect(most()).toBeLessThanOrEqual(bound);
  expect(most()).toBeGreaterThan(MASTERS);
});
