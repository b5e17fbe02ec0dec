/** A server that does not know the script is sent it once by each client, however many calls are in flight. */
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { command, textFrom } from "../../servers/command.ts";
import { type RedisCluster, startCluster } from "../../servers/redis-cluster.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { LIMITS, PATIENT } from "../faults/fault.ts";
import { type Make, openClient } from "./faults/clients/connections.ts";
import type { Target } from "./faults/clients/target.ts";

const MAKES: readonly Make[] = ["ioredis", "node-redis", "valkey-glide"];
/** Calls in flight, each a request of its own. */
const CALLS = 100;
/** Milliseconds: whoever pauses a server ends that itself. */
const LONG = 600_000;

async function open(make: Make, target: Target) {
  const { store, connect, close } = await openClient({ make, target });
  const limiter = new RateLimiter(LIMITS, { store: store({ deadline: PATIENT }) });
  await connect();
  return { limiter, [Symbol.asyncDispose]: async () => void (await close()) };
}

/** How often a command was carried out by servers since the last look. */
async function counted(name: string, nodes: readonly RedisNode[]): Promise<number> {
  const counts = nodes.map(async ({ port }) => {
    const stats = await textFrom(port, "INFO", "commandstats");
    await command(port, "CONFIG", "RESETSTAT");
    return Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  });
  return (await Promise.all(counts)).reduce((all, some) => all + some, 0);
}

async function flushed(nodes: readonly RedisNode[]): Promise<void> {
  for (const { port } of nodes) await command(port, "SCRIPT", "FLUSH");
  await counted("eval", nodes);
}

describe("on one server", () => {
  let node: RedisNode;
  beforeAll(async () => {
    node = await startRedis();
  });
  afterAll(() => node.stop());

  test.for(MAKES)("%s sends it once", async (make) => {
    await using opened = await open(make, { sort: "server", port: node.port });
    const { limiter } = opened;
    await limiter.limit("bucket", { key: make });
    // All calls are in flight when the server forgets it.
    await command(node.port, "CLIENT", "PAUSE", LONG, "WRITE");
    const asked = [];
    for (let call = 0; call < CALLS; call++) {
      asked.push(limiter.limit("bucket", { key: make }));
      await turn();
    }
    await flushed([node]);
    await command(node.port, "CLIENT", "UNPAUSE");
    for (const decision of await Promise.all(asked)) {
      expect(decision).toMatchObject({ ok: true, degraded: undefined });
    }
    expect(await counted("eval", [node])).toBe(1);
  });
});

describe("in a cluster", () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test.for(MAKES)("%s sends it once to each master", async (make) => {
    await using opened = await open(make, { sort: "cluster", ports: cluster.ports });
    const { limiter } = opened;
    await limiter.limit("bucket", { key: make });
    await flushed(cluster.nodes);
    const keys = Array.from({ length: CALLS }, (_, call) => `${make} ${call}`);
    const decisions = await Promise.all(keys.map((key) => limiter.limit("bucket", { key })));
    for (const decision of decisions) expect(decision).toMatchObject({ ok: true, remaining: 1999 });
    expect(await counted("eval", cluster.nodes)).toBe(3);
  });
});
