/** Connections under limits in a real Redis: what becomes of leases when the store is away, or the process is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { Visitors } from "../../src/http/visitors/index.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import { limitConnections } from "../../src/sockets/index.ts";
import { redisStore } from "../../src/stores/redis/index.ts";
import { type RedisNode, startRedis } from "../servers/redis-node.ts";
import { until } from "../servers/until.ts";
import { ONCE } from "../stores/redis/clients.ts";
import { Client, closed, listen } from "./clients.ts";
import { CONNECTIONS } from "./leases.ts";

let node: RedisNode;
let redis: Redis;
beforeAll(async () => {
  node = await startRedis();
  redis = new Redis(node.port, { ...ONCE, maxRetriesPerRequest: 0, retryStrategy: () => 20 });
  redis.on("error", () => {});
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis.disconnect();
  await node[Symbol.asyncDispose]();
});

/** Halts the server, or lets it go on. */
const signal = (name: "SIGSTOP" | "SIGCONT") => void process.kill(node.pid as number, name);

/** Long enough for a machine that is busy. */
const SLOW = { deadline: 2500 };

const free = async (limiter: RateLimiter<typeof CONNECTIONS, "later">) =>
  (await limiter.value("connections", { key: "127.0.0.1" })).remaining;

async function site(ttl = "1h") {
  const limits = { connections: { ...CONNECTIONS.connections, ttl } } as typeof CONNECTIONS;
  const limiter = new RateLimiter(limits, { store: redisStore(redis, SLOW) });
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.write("hello");
  });
  limitConnections(server, limiter, { limit: "connections" });
  const port = await listen(server);
  const clients: Client[] = [];
  onTestFinished(() => closed(server, clients));
  const connected = async () => {
    const client = new Client(port);
    clients.push(client);
    await Promise.race([client.heard(/hello/), client.ended]);
    return client;
  };
  return { limiter, server, connected };
}

test("connections that end while the store is away are given back when it answers again", async () => {
  const { limiter, connected } = await site();
  const clients = [await connected(), await connected(), await connected()];
  expect(await free(limiter)).toBe(0);
  signal("SIGSTOP");
  for (const client of clients) await client.close();
  const refused = await connected();
  expect(await refused.ended).toEqual({ text: "", code: "ECONNRESET" });
  signal("SIGCONT");
  await until(async () => (await free(limiter).catch(() => 0)) === 3, { what: "all are free" });
});

test("a server that is closed keeps the leases of what is still connected, and no others", async () => {
  const { limiter, server, connected } = await site();
  const [first, second] = [await connected(), await connected()];
  server.close();
  await first?.close();
  await until(async () => (await free(limiter)) === 2, { what: "the first is free" });
  await second?.close();
  await until(async () => (await free(limiter)) === 3, { what: "the second is free" });
});

test("a connection that lasts longer than the ttl is held; one of a killed process comes back", async () => {
  const program = fileURLToPath(new URL("./holder.ts", import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify({ redis: node.port })]);
  const [said] = await once(child.stdout, "data");
  const { port } = JSON.parse(said);
  const clients = [new Client(port), new Client(port)];
  onTestFinished(() => {
    child.kill("SIGKILL");
    for (const client of clients) client.socket.destroy();
  });
  for (const client of clients) await client.heard(/hello/);
  const limiter = new RateLimiter(CONNECTIONS, { store: redisStore(redis, SLOW) });
  // By the clock of Redis, which nobody can move: as many reads as span the ttl.
  const time = async () => Number((await redis.time())[0]);
  const end = (await time()) + 5;
  const seen = new Set<number>();
  const isOutlasted = async () => {
    seen.add(await free(limiter));
    return (await time()) >= end;
  };
  await until(isOutlasted, { what: "the ttl is over" });
  expect([...seen]).toEqual([1]);
  child.kill("SIGKILL");
  await once(child, "exit");
  await until(async () => (await free(limiter)) === 3, {
    what: "the killed one's leases are over",
  });
});

test("while the store is away nobody gets an id, and who has one keeps it", async () => {
  const limits = { newIds: { kind: "token bucket", rate: 5, period: "1h" } } as const;
  const limiter = new RateLimiter(limits, { store: redisStore(redis, { deadline: 100 }) });
  const keys = [{ id: "k", secret: "s".repeat(32) }];
  const visitors = new Visitors(limiter, { keys, newIds: "newIds" });
  const known = await visitors.enter({ cookie: "", address: "192.0.2.1" });
  signal("SIGSTOP");
  onTestFinished(() => signal("SIGCONT"));
  const cookie = known.setCookie?.split(";")[0] ?? "";
  expect((await visitors.enter({ cookie, address: "192.0.2.1" })).id).toBe(known.id);
  const stranger = await visitors.enter({ cookie: "", address: "192.0.2.1" });
  expect(stranger).toMatchObject({ id: undefined, refused: { reason: "unavailable" } });
});
