/** What is asked here faster than it can be sent waits here: it is no failure of the store. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { redisStore, type StoreEvent } from "../../../src/stores/redis/index.ts";
import { startProxy } from "../../servers/faulty-proxy.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { until } from "../../servers/until.ts";
import { ONCE } from "./clients.ts";

const LIMITS = {
  orders: { kind: "token bucket", rate: 5, period: "366d" },
  smooth: { kind: "token bucket", rate: 5, period: "366d", whenUnavailable: "open" },
} as const;

let server: RedisNode;
let client: Redis;
let events: StoreEvent[];

beforeAll(async () => {
  server = await startRedis();
  client = new Redis(server.port, ONCE);
});
beforeEach(async () => {
  await client.flushall();
  events = [];
});
afterAll(async () => {
  client.disconnect();
  await server[Symbol.asyncDispose]();
});

/** Milliseconds: no answer is late here, however busy the machine. */
const PATIENT = { deadline: 30_000 };

function limiterOf(options = {}, over = client) {
  const store = redisStore(over, { onEvent: (event) => events.push(event), ...options });
  return new RateLimiter(LIMITS, { store });
}

test("20 000 keys asked for in one turn are sent a few requests at a time", async () => {
  const watched = new Redis(server.port, ONCE);
  using _closing = { [Symbol.dispose]: () => watched.disconnect() };
  const { evalsha } = watched;
  let [inFlight, most] = [0, 0];
  Object.assign(watched, {
    async evalsha(...all: Parameters<typeof evalsha>) {
      most = Math.max(most, ++inFlight);
      return evalsha.apply(watched, all).finally(() => inFlight--);
    },
  });
  const limiter = limiterOf(PATIENT, watched);
  const asks = Array.from({ length: 20_000 }, (_, n) => limiter.limit("orders", { key: `${n}` }));
  const decisions = await Promise.all(asks);
  expect(events).toEqual([]);
  expect(decisions.every(({ ok, remaining }) => ok && remaining === 4)).toBe(true);
  expect(most).toBeLessThanOrEqual(8);
});

test("an answer is waited for from when its request was sent, however long that had to wait", async () => {
  await using proxy = await startProxy(server.port);
  const far = new Redis(proxy.port, ONCE);
  using _closing = { [Symbol.dispose]: () => far.disconnect() };
  const limiter = limiterOf({ deadline: 2000 }, far);
  await until(async () => (await limiter.limit("orders")).degraded === undefined, {
    what: "the client is connected, and the script is known",
  });
  events = [];
  proxy.delay(100);
  // Some twenty round trips one after the other.
  const asks = Array.from({ length: 20_000 }, (_, n) => limiter.limit("orders", { key: `${n}` }));
  const decisions = await Promise.all(asks);
  expect(events).toEqual([]);
  expect(decisions.every(({ ok, remaining }) => ok && remaining === 4)).toBe(true);
});

test("100 000 asks on one key in one turn admit what they charge, which is what there is", async () => {
  const limiter = limiterOf(PATIENT);
  const asks = Array.from({ length: 100_000 }, () => limiter.limit("orders", { key: "k" }));
  const decisions = await Promise.all(asks);
  expect(events).toEqual([]);
  expect(decisions.filter(({ ok }) => ok)).toHaveLength(5);
  expect(await limiter.value("orders", { key: "k" })).toMatchObject({ remaining: 0 });
});

test("what is more than may wait is refused, and never sent", async () => {
  const limiter = limiterOf(PATIENT);
  const most = 100_000;
  const asks = Array.from({ length: most }, (_, n) =>
    limiter.limit("orders", { key: `${n % 100}` }),
  );
  const more = Array.from({ length: 7 }, () => limiter.limit("smooth", { key: "k" }));
  const value = limiter.value("orders", { key: "k" });
  const refused = { ok: false, reason: "unavailable", remaining: 0, degraded: true };
  await expect(value).rejects.toMatchObject({ code: "unavailable" });
  for (const decision of await Promise.all(more)) expect(decision).toMatchObject(refused);
  const decisions = await Promise.all(asks);
  expect(decisions.filter(({ ok }) => ok)).toHaveLength(500);
  expect(events[0]).toEqual({ type: "overflowed", node: "redis", calls: 8, most });
  expect(events.slice(1).map(({ type }) => type)).toEqual(Array(7).fill("degraded"));
  expect(await limiter.limit("smooth", { key: "k" })).toMatchObject({ ok: true, remaining: 4 });
});
