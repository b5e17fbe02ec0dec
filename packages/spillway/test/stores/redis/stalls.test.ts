/** What a stall of the server tells its breaker: one slow command holds up all that is sent behind it. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Decision } from "../../../src/limits/core/index.ts";
import { redisStore, type StoreEvent } from "../../../src/stores/redis/index.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { until } from "../../servers/until.ts";
import { ONCE } from "./clients.ts";

const LIMITS = { orders: { kind: "token bucket", rate: 1000, period: "366d" } } as const;
/** For the server, which goes on sooner. */
const LONG = 600_000;

let server: RedisNode;
let client: Redis;
let admin: Redis;
let events: StoreEvent[];

beforeAll(async () => {
  server = await startRedis();
  client = new Redis(server.port, ONCE);
  admin = new Redis(server.port, ONCE);
});
beforeEach(async () => {
  await client.flushall();
  events = [];
});
afterAll(async () => {
  client.disconnect();
  admin.disconnect();
  await server[Symbol.asyncDispose]();
});

/** Holds up scripts, as one that is slow does; commands that write nothing are answered. */
async function stalled() {
  await admin.call("CLIENT", "PAUSE", LONG, "WRITE");
  return { end: () => admin.call("CLIENT", "UNPAUSE") };
}

function limiterOf(breaker: { failures: number; pause: number }, deadline: number) {
  const store = redisStore(client, { deadline, breaker, onEvent: (event) => events.push(event) });
  return new RateLimiter(LIMITS, { store });
}

const eventsOf = (type: StoreEvent["type"]) => events.filter((event) => event.type === type);

/** Asks in as many turns, so that no two share a request. */
async function askInTurns(limiter: ReturnType<typeof limiterOf>, turns: number) {
  const asked: Promise<Decision>[] = [];
  for (let turn = 0; turn < turns; turn++) {
    asked.push(limiter.limit("orders"));
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return Promise.all(asked);
}

test("a stall that holds up many requests at once is one failure, and opens no breaker", async () => {
  // Longer than a busy machine takes to send them all.
  const limiter = limiterOf({ failures: 2, pause: 3_600_000 }, 2000);
  await limiter.limit("orders");
  const stall = await stalled();
  const decisions = await askInTurns(limiter, 20);
  await stall.end();
  expect(decisions.every(({ degraded }) => degraded)).toBe(true);
  expect([eventsOf("failed").length, eventsOf("paused").length]).toEqual([20, 0]);
  expect(await limiter.limit("orders")).toMatchObject({ ok: true, degraded: undefined });
});

test("a stall that outlasts one deadline after the other opens it", async () => {
  const limiter = limiterOf({ failures: 3, pause: 3_600_000 }, 20);
  const stall = await stalled();
  for (let failures = 1; failures <= 3; failures++) {
    expect(eventsOf("paused")).toEqual([]);
    await limiter.limit("orders");
  }
  await stall.end();
  expect(eventsOf("paused").length).toBe(1);
});

test("an answer to what was sent before it opened lets a probe go, whatever the pause", async () => {
  const limiter = limiterOf({ failures: 1, pause: 3_600_000 }, 20);
  const stall = await stalled();
  expect(await limiter.limit("orders")).toMatchObject({ degraded: true });
  expect(eventsOf("paused").length).toBe(1);
  expect(await limiter.limit("orders")).toMatchObject({ degraded: true });
  await stall.end();
  await until(async () => (await limiter.limit("orders")).degraded === undefined, {
    what: "a probe is let through",
  });
  expect(eventsOf("resumed").length).toBe(1);
});
