/** The rights that `docs/stores/redis.md` gives to a client's user, tried as they stand there. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { REGISTER_SCRIPT, SCRIPT } from "../../../src/stores/redis/script.generated.ts";
import { command, listFrom } from "../../servers/command.ts";
import { type RedisCluster, startCluster } from "../../servers/redis-cluster.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import type { Reply } from "../../servers/reply.ts";
import { LIMITS, PATIENT } from "../faults/fault.ts";
import { type Make, openClient } from "./faults/clients/connections.ts";
import type { Target, User } from "./faults/clients/target.ts";
import { stateKey } from "./faults/fault.ts";

const PAGE = readFileSync(new URL("../../../../../docs/stores/redis.md", import.meta.url), "utf8");
/** The commands for an administrator, as lists of words. */
const [ONE_SERVER = [], IN_A_CLUSTER = []] = [
  ...PAGE.matchAll(/```text\n(ACL SETUSER [^`]*)```/g),
].map(([, text = ""]) => text.trim().split(/\s+/));
const USER: User = { username: "limiter", password: "password" };
const KEY = "whose slot moves";
/** More than fit in a state: the rest has a key of its own. */
const MANY = 40;

const MAKES: readonly Make[] = ["ioredis", "node-redis", "valkey-glide"];
const LIMITS_OF_ALL_SORTS = {
  ...LIMITS,
  leases: { kind: "concurrency", capacity: 1000, ttl: "1h" },
} as const;

/** What the scripts name beside commands. */
const NO_COMMANDS = ["KEEPTTL", "LIMIT", "WITHSCORES", "WRONGTYPE"];

const rightsIn = (words: readonly string[]) =>
  words.filter((word) => word.startsWith("+")).map((word) => word.slice(1));

test("they are what the scripts use, and what clients ask for", () => {
  const source = SCRIPT.source + REGISTER_SCRIPT.source;
  const used = [...source.matchAll(/"([A-Z]{3,})"/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !NO_COMMANDS.includes(name));
  const forClients = ["evalsha", "eval", "info", "ping", "client|setname"];
  const needed = new Set([...forClients, ...used.map((name) => name.toLowerCase())]);
  expect(rightsIn(ONE_SERVER).sort()).toEqual([...needed].sort());
  expect(rightsIn(IN_A_CLUSTER).sort()).toEqual(["asking", "cluster|info", "cluster|slots"]);
});

/** Takes what has a state of each sort, and gives some of it back. */
async function useAll(make: Make, target: Target): Promise<void> {
  const { store, connect, close } = await openClient({ make, target });
  const limiter = new RateLimiter(LIMITS_OF_ALL_SORTS, { store: store({ deadline: PATIENT }) });
  await connect();
  for (let n = 0; n < MANY; n++) {
    // One after the other: while a slot moves, keys that are not there yet can't be made together.
    for (const decision of [
      await limiter.limit("bucket", { key: KEY }),
      await limiter.limit("log", { key: KEY }),
      await limiter.acquire("leases", { key: KEY }),
    ]) {
      expect(decision).toMatchObject({ ok: true, degraded: undefined });
    }
  }
  await limiter.reset("log", { key: KEY });
  await limiter.block("bucket", { key: make, for: 1000, reason: "scraping" });
  expect((await limiter.exceptions({ limit: "bucket", key: make })).exceptions).toHaveLength(1);
  await limiter.unblock("bucket", { key: make });
  close();
}

async function expectNothingDenied(nodes: readonly RedisNode[]): Promise<void> {
  for (const { port } of nodes) {
    const denied = (await listFrom(port, "ACL", "LOG")) as readonly (readonly Reply[])[];
    const what = denied.map((entry) => entry[entry.indexOf("object") + 1]);
    // What newer clients say of themselves, which older servers could not even name in a rule.
    expect(what.filter((name) => name !== "client|setinfo")).toEqual([]);
  }
}

describe("they are enough", () => {
  let node: RedisNode;
  let cluster: RedisCluster;
  beforeAll(async () => {
    [node, cluster] = await Promise.all([startRedis(), startCluster({ replicas: 0 })]);
    for (const { port } of [node, ...cluster.nodes]) await command(port, ...ONE_SERVER);
    for (const { port } of cluster.nodes) await command(port, ...IN_A_CLUSTER);
  });
  afterAll(() => Promise.all([node.stop(), cluster[Symbol.asyncDispose]()]));

  test.for(MAKES)("for %s on one server", async (make) => {
    await useAll(make, { sort: "server", port: node.port, ...USER });
    await expectNothingDenied([node]);
  });

  test("for each client in a cluster, while a slot moves", async () => {
    const slot = await cluster.slotOf(stateKey("bucket", KEY));
    const move = await cluster.beginMove(slot);
    for (const make of MAKES) {
      await useAll(make, { sort: "cluster", ports: cluster.ports, ...USER });
      await expectNothingDenied(cluster.nodes);
    }
    await move.finish();
  });
});
