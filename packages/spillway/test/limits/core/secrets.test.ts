/** No error shows a secret, a key, a request or what is in an object, however it is printed. */
import { DatabaseSync } from "node:sqlite";
import { inspect } from "node:util";
import { err } from "pino-std-serializers";
import { expect, test } from "vitest";
import * as client from "../../../src/client/index.ts";
import * as deferred from "../../../src/deferred/index.ts";
import * as http from "../../../src/http/headers/index.ts";
import { limited as limitedExpress } from "../../../src/http/middleware/express/index.ts";
import { limited as limitedFetchHandler } from "../../../src/http/middleware/fetch/index.ts";
import { limited as limitedHono } from "../../../src/http/middleware/hono/index.ts";
import { limited as limitedKoa } from "../../../src/http/middleware/koa/index.ts";
import { limited as limitedNode } from "../../../src/http/middleware/node/index.ts";
import * as value from "../../../src/http/value/index.ts";
import * as visitors from "../../../src/http/visitors/index.ts";
import * as main from "../../../src/index.ts";
import { SpillwayError } from "../../../src/limits/core/index.ts";
import * as shedding from "../../../src/shedding/index.ts";
import * as sockets from "../../../src/sockets/index.ts";
import * as store from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import * as postgres from "../../../src/stores/postgres/index.ts";
import * as redis from "../../../src/stores/redis/index.ts";
import * as service from "../../../src/stores/service/index.ts";
import * as sqlite from "../../../src/stores/sqlite/index.ts";
import * as telemetry from "../../../src/stores/telemetry/index.ts";

const SECRET = "hunter2";

/** Texts that look like a secret. */
const TEXTS = [
  `redis://:${SECRET}@db.internal:6379/0`,
  `redis://ada:${SECRET}`,
  `rediss://default:pass word${SECRET}@db:6379`,
  `postgres://ada:${SECRET}%zz/@x@db.internal/app`,
  `postgres://db/app?password=${SECRET}`,
  `https://api.example/v1?token=${SECRET}#${SECRET}`,
  `host=db user=ada password='${SECRET}' dbname=app`,
  `Server=db;User Id=ada;Password=${SECRET};`,
  `{"apiKey":"${SECRET}"}`,
  `Bearer ${SECRET}`,
  `Authorization: Basic ${SECRET}`,
  `sk_live_4fG7q${SECRET}Qx81LmZ0pVb33`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx${SECRET}MTIzIn0.4fG7qQx81LmZ0pVb33`,
  `${SECRET}@example.com`,
  `${"x".repeat(10_000)}://:${SECRET}@db`,
];

class Account {
  readonly password = SECRET;
  toString() {
    return SECRET;
  }
  toJSON() {
    return SECRET;
  }
  [inspect.custom]() {
    return SECRET;
  }
}

/** Objects with secrets in them. */
const OBJECTS: readonly unknown[] = [
  new Account(),
  { password: SECRET, deep: { token: SECRET } },
  { [`redis://:${SECRET}@db`]: { [SECRET]: 1 } },
  [`Bearer ${SECRET}`, [SECRET]],
  new Map([[SECRET, SECRET]]),
  new Set([`Bearer ${SECRET}`]),
  new Request("http://localhost", { headers: { authorization: `Bearer ${SECRET}` } }),
  new Error(`redis://:${SECRET}@db`),
  Object.assign(() => SECRET, { password: SECRET }),
  Promise.resolve(`Bearer ${SECRET}`),
  Buffer.from(SECRET),
  Symbol(`Bearer ${SECRET}`),
];

const WAYS: readonly (readonly [way: string, print: (error: Error) => unknown])[] = [
  ["its message", (error) => error.message],
  ["its stack", (error) => error.stack],
  ["console.log", (error) => inspect(error)],
  ["all of it", (error) => inspect(error, { depth: 9, showHidden: true, getters: true })],
  ["JSON.stringify", (error) => JSON.stringify(error)],
  ["its own names", (error) => JSON.stringify(error, Object.getOwnPropertyNames(error))],
  ["a copy", (error) => inspect({ ...error }, { depth: 9 })],
  ["pino", (error) => JSON.stringify(err(error))],
  ["a structured clone", (error) => inspect(structuredClone(error), { depth: 9 })],
  ["a cause", (error) => inspect(new Error("failed", { cause: error }), { depth: 9 })],
  ["pino, as a cause", (error) => JSON.stringify(err(new Error("failed", { cause: error })))],
];

/** The ways in which an error shows a secret. */
function leaksOf(error: Error): readonly string[] {
  return WAYS.filter(([, print]) => String(print(error)).includes(SECRET)).map(([way]) => way);
}

const limit = { kind: "token bucket", rate: 9, period: "1m" } as const;
const LIMITS = {
  search: limit,
  mailing: { kind: "leaky bucket", rate: 9, period: "1m" },
  reports: { kind: "concurrency", capacity: 2, ttl: "1m" },
} as const;
const memory = memoryStore();
const limiter = new main.RateLimiter(LIMITS, { store: memory });
const database = new DatabaseSync(":memory:");
const KEYS = [{ id: "k", secret: "s".repeat(32) }];
const queue = deferred.memoryQueue();
const ADAPTERS = { limitedExpress, limitedFetchHandler, limitedHono, limitedKoa, limitedNode };

/** Whatever is called, with something in the place of each of its arguments, and of each of its options. */
type Calls = { readonly [name: string]: (bad: never) => unknown };

type Adapter = (...all: unknown[]) => unknown;

/** Calls with something that can only be right as an object of a certain make: its text may be any secret. */
const PRIVATE: Calls = {
  redisStore: (bad) => redis.redisStore(bad),
  postgresStore: (bad) => postgres.postgresStore(bad),
  migrate: (bad) => postgres.migrate(bad),
  sqliteStore: (bad) => sqlite.sqliteStore(bad),
  "RateLimiter, options": (bad) => new main.RateLimiter(LIMITS, bad),
  "RateLimiter, store": (bad) => new main.RateLimiter(LIMITS, { store: bad }),
  "limit, options": (bad) => limiter.limit("search", bad),
  "limit, a symbol or an object as key": (bad) =>
    limiter.limit("search", { key: (typeof bad === "string" ? [bad] : bad) as never }),
  limitAll: (bad) => limiter.limitAll(bad),
  within: (bad) => new main.RateLimiter(LIMITS, { store: sqliteOne() }).within(bad),
  "serviceStore, token": (bad) =>
    service.serviceStore("http://127.0.0.1:1", { token: ` ${String(bad)}` }),
  "serviceStore, options": (bad) => service.serviceStore("http://127.0.0.1:1", bad),
  "instrumented, store": (bad) => telemetry.instrumented(bad, {} as never),
  "a route's partitionKey": (bad) =>
    limitedExpress(limiter, { limit: "search", partitionKey: bad }),
  "a route's partitionKey, secret": (bad) =>
    limitedExpress(limiter, { limit: "search", partitionKey: { secret: String(bad).slice(0, 9) } }),
  "a shedder's secret": (bad) =>
    shedding.adaptiveShedder({ secret: String(bad).slice(0, 9) as never }),
  "Visitors, keys": (bad) => new visitors.Visitors(limiter, { keys: bad, newIds: "search" }),
  "Visitors, a key": (bad) => new visitors.Visitors(limiter, { keys: [bad], newIds: "search" }),
  "Visitors, a secret": (bad) =>
    new visitors.Visitors(limiter, {
      keys: [{ id: "k", secret: String(bad).slice(0, 9) }],
      newIds: "search",
    }),
  "ProofOfWork, keys": (bad) => new visitors.ProofOfWork(limiter, { keys: bad }),
  "a visitor's address": (bad) =>
    new visitors.Visitors(limiter, { keys: KEYS, newIds: "search" }).enter({
      cookie: "",
      address: bad,
    }),
  "Deferred, limiter": (bad) => new deferred.Deferred({ limiter: bad, limit: "mailing", queue }),
  "Deferred, queue": (bad) => new deferred.Deferred({ limiter, limit: "mailing", queue: bad }),
  bullmqQueue: (bad) => deferred.bullmqQueue(bad, {} as never),
  "bullmqQueue, redis": (bad) =>
    deferred.bullmqQueue({ add() {} } as never, { redis: bad } as never),
  pgBossQueue: (bad) => deferred.pgBossQueue(bad, {} as never),
  "submit, key": (bad) =>
    new deferred.Deferred({ limiter, limit: "mailing", queue }).submit("", {
      key: `${String(bad)}\0`,
    }),
  "limitMessages, socket": (bad) => sockets.limitMessages(bad, limiter, { messages: "search" }),
  "paced, source": (bad) =>
    sockets
      .paced(bad as AsyncIterable<unknown>, limiter, { limit: "search" })
      [Symbol.asyncIterator]()
      .next(),
  joinKey: (bad) => http.joinKey([{ bad } as unknown as string]),
  "the limiter of a route": (bad) => limitedExpress(bad, { limit: "search" }),
  "the limiter of visitors": (bad) => new visitors.Visitors(bad, { keys: KEYS, newIds: "search" }),
  "regionStore, a store": (bad) =>
    store.regionStore({ regions: { a: { store: bad, part: 1 } }, here: "a" } as never),
  work: (bad) => shedding.utilizationShedder({ signal: () => 0 } as never).admit(bad),
};

function sqliteOne() {
  return sqlite.sqliteStore(database);
}

/** Something that is called so. */
function named(name: unknown): object {
  return typeof name === "string" ? { [name]: 1 } : {};
}

/** The names of options, as an unknown one makes them listed. */
function optionsOf(call: (options: never) => unknown): readonly string[] {
  try {
    call({ "?": 1 } as never);
  } catch (error) {
    const [, names = ""] = / are (.*)$/.exec((error as SpillwayError).expected) ?? [];
    return names.split(", ").filter((name) => /^\w+$/.test(name));
  }
  return [];
}

const WITH_OPTIONS: Calls = {
  RateLimiter: (options) => new main.RateLimiter(LIMITS, options),
  limit: (options) => limiter.limit("search", options),
  acquire: (options) => limiter.acquire("reports", options),
  redisStore: (options) => redis.redisStore(fakeRedis, options),
  postgresStore: (options) => postgres.postgresStore(fakePool, options),
  migration: (options) => postgres.migration(options),
  sqliteStore: (options) => sqlite.sqliteStore(database, options),
  serviceStore: (options) => service.serviceStore("http://127.0.0.1:1", options),
  memoryStore: (options) => memoryStore(options),
  denialCache: (options) => store.denialCache(memory, options),
  resilient: (options) => store.resilient({ timing: "now", name: "x", execute: () => [] }, options),
  limitedFetch: (options) => client.limitedFetch(fetch, options),
  Visitors: (options) =>
    new visitors.Visitors(limiter, Object.assign({ keys: KEYS, newIds: "search" }, options)),
  ProofOfWork: (options) =>
    new visitors.ProofOfWork(limiter, Object.assign({ keys: KEYS }, options)),
  Deferred: (options) =>
    new deferred.Deferred(Object.assign({ limiter, limit: "mailing", queue }, options)),
  memoryQueue: (options) => deferred.memoryQueue(options),
  cached: (options) => http.cached((name) => name, Object.assign({ for: "1m" }, options)),
  adaptiveShedder: (options) => shedding.adaptiveShedder(options),
  fleetShedder: (options) =>
    shedding.fleetShedder(Object.assign({ store: memory, capacity: 5 }, options)),
  utilizationShedder: (options) => shedding.utilizationShedder(options),
  limitMessages: (options) =>
    sockets.limitMessages(socket, limiter, Object.assign({ messages: "search" }, options)),
  limitConnections: (options) =>
    sockets.limitConnections(socket, limiter, Object.assign({ limit: "search" }, options)),
  valueHandler: (options) =>
    value.valueHandler(limiter, Object.assign({ limit: "search", key: "k" }, options)),
  ...Object.fromEntries(
    Object.entries(ADAPTERS).map(([name, limited]) => [
      name,
      (options: never) =>
        (limited as Adapter)(limiter, Object.assign({ limit: "search" }, options)),
    ]),
  ),
};

/** Options that are read when there is a request, or for tests alone. */
const LATER = new Set([
  "key",
  "count",
  "config",
  "priority",
  "deadline",
  "onLimited",
  "throws",
  "scheduler",
  "elapsed",
]);

const fakeRedis = Object.assign(() => {}, {
  status: "wait",
  ...{ evalsha() {}, eval() {}, on() {}, connect: async () => {} },
}) as never;
const fakePool = { connect() {}, query() {}, on() {}, totalCount: 0, idleCount: 0 } as never;
const socket = { emit() {}, pause() {}, resume() {}, on() {}, once() {} } as never;

/** What a route reports where a function of it returns something. */
async function reported(field: string, found: unknown): Promise<void> {
  const errors: unknown[] = [];
  const onEvent = (event: object) => "error" in event && errors.push(event.error);
  const route = { limit: "search", key: "k", [field]: () => found, onEvent };
  const shedder = shedding.utilizationShedder({ signal: () => 0 } as never);
  const handler = (limitedFetchHandler as Adapter)(
    limiter,
    { ...route, shedder },
    () => new Response(),
  );
  await (handler as (request: Request, info: object) => unknown)(new Request("http://a"), {});
  if (errors.length > 0) throw errors[0];
}

const OTHERS: Calls = {
  ...Object.fromEntries(
    ["key", "count", "config"].map((field) => [
      `what a route's ${field} returns`,
      (bad: never) => reported(field, bad),
    ]),
  ),
  "a limit's name": (bad) => limiter.limit(bad),
  limits: (bad) => typeof bad === "string" && new main.RateLimiter(bad),
  "a limit": (bad) => new main.RateLimiter({ search: bad }),
  "a field of a limit": (bad) =>
    new main.RateLimiter({ search: { ...limit, ...named(bad) } } as never),
  "a kind": (bad) => new main.RateLimiter({ search: { ...limit, kind: bad } } as never),
  "a period": (bad) => new main.RateLimiter({ search: { ...limit, period: bad } } as never),
  "an inline limit": (bad) => limiter.limit("x", { config: bad }),
  "an unknown option": (bad) => new main.RateLimiter(LIMITS, named(bad) as never),
  "the URL of a service": (bad) => service.serviceStore(bad),
  "the URL of a service, with it": (bad) =>
    service.serviceStore(`http://:${String(bad)}@x` as never),
  "an executor": (bad) => store.resilient(bad),
  "a region": (bad) => store.regionStore({ regions: { a: bad }, here: bad } as never),
  "trusted proxies": (bad) => http.clientAddress({ trust: [bad] }),
  "the id of a job": (bad) =>
    new deferred.Deferred({ limiter, limit: "mailing", queue }).submit("", { id: bad }),
  "the data of a job": (bad) => {
    const circle: Record<string, unknown> = { bad };
    circle.circle = circle;
    return new deferred.Deferred({ limiter, limit: "mailing", queue }).submit(circle, {});
  },
  "a cookie's name": (bad) =>
    new visitors.Visitors(limiter, { keys: KEYS, newIds: "search", cookie: { name: bad } }),
  ...Object.fromEntries(
    Object.entries(WITH_OPTIONS).flatMap(([name, call]) =>
      optionsOf(call)
        .filter((option) => !LATER.has(option) && `${name} ${option}` !== "ProofOfWork clock")
        .map((option) => [`${name}, ${option}`, (bad: never) => call({ [option]: bad } as never)]),
    ),
  ),
};

/** What is thrown, or rejected with. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    return void (await call());
  } catch (error) {
    return error;
  }
}

/** All that is shown of secrets by calls with each of some values. */
async function shownBy(call: (bad: never) => unknown, bads: readonly unknown[]) {
  const shown: string[] = [];
  let refused = 0;
  for (const [index, bad] of bads.entries()) {
    const error = await errorOf(() => call(bad as never));
    if (error instanceof SpillwayError) refused++;
    if (error instanceof Error && leaksOf(error).length > 0) {
      shown.push(`${index}, ${leaksOf(error).join(", ")}: ${error.message}`);
    }
  }
  if (refused === 0) shown.push("nothing was refused");
  return shown;
}

test.each(Object.entries(PRIVATE))("%s: nothing is shown of what it is", async (_, call) => {
  expect(await shownBy(call, [SECRET, ...TEXTS, ...OBJECTS])).toEqual([]);
});

test.each(Object.entries(OTHERS))("%s: nothing is shown of what is secret", async (_, call) => {
  expect(await shownBy(call, [...TEXTS, ...OBJECTS])).toEqual([]);
});
