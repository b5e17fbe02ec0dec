/** Functions of options other than a route's that fail, in all ways: a value or an error, and no promise is dropped. */
import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { limitedFetch, limitInterceptor } from "../src/client/index.ts";
import type { UndiciDispatch } from "../src/client/undici/interceptor.ts";
import { Deferred, memoryQueue, submissionAnswer } from "../src/deferred/index.ts";
import { cached, clientAddress } from "../src/http/headers/index.ts";
import { valueHandler, valueSource } from "../src/http/value/index.ts";
import { Visitors } from "../src/http/visitors/index.ts";
import { RateLimiter } from "../src/limiter/index.ts";
import { planFor } from "../src/limits/algorithms/index.ts";
import { systemClock, type Timing } from "../src/limits/core/index.ts";
import { adaptiveShedder, highest, utilizationShedder } from "../src/shedding/index.ts";
import { SafeCap } from "../src/shedding/safe-cap.ts";
import { safely } from "../src/shedding/signals/safely.ts";
import { limitMessages } from "../src/sockets/index.ts";
import { type Executor, lent, resilient, sharded } from "../src/stores/index.ts";
import { memoryStore } from "../src/stores/memory/index.ts";
import { RedisKeys } from "../src/stores/redis/redis-keys.ts";
import { serviceStore } from "../src/stores/service/index.ts";
import { instrumented } from "../src/stores/telemetry/index.ts";
import { FAULTS, NAMES, TIMEOUT, watchRejections } from "./faults.ts";

// biome-ignore lint/suspicious/noExplicitAny: each option has another type, none of which it keeps to
type Any = any;
type Use = (option: Any) => unknown;

const SEARCH = { kind: "token bucket", rate: 5, period: "1m" } as const;
const LIMITS = {
  search: SEARCH,
  ids: SEARCH,
  places: { kind: "concurrency", capacity: 2, ttl: "1m" },
} as const;
const SHARDED = { ...LIMITS, split: { ...SEARCH, rate: 8, shards: 4 } } as const;
const RATE = { rate: 100, period: "1s" } as const;
const KEYS = [{ id: "a", secret: "x".repeat(64) }];
const HOME = "203.0.113.7";
const budget = { plan: planFor("search", SEARCH), key: "k" } as const;

/** A command of a limiter over an executor that is `wrong` in one of its members. */
const overExecutor =
  (member: string, timing: Timing = "later"): Use =>
  async (wrong) => {
    const execute = timing === "now" ? away : async () => away();
    const executor = { timing, name: "it", execute, [member]: wrong } as Executor;
    const store = resilient(executor, { deadline: TIMEOUT } as never);
    const limiter = new RateLimiter(LIMITS, { store: store as never, whenUnavailable: "closed" });
    const { ok, reason } = await limiter.limit("search", { key: "k" });
    return [ok, reason];
  };

function away(): never {
  throw new Error("the store is away");
}

const served = async (_: string) => new Response("served");
const busy = async (_: string) => new Response("busy", { status: 503 });

/** Nobody waits for these, whatever they do: what is asked for comes all the same. */
const UNNEEDED: readonly (readonly [option: string, use: Use, comes: unknown])[] = [
  [
    "`warn` of a limiter",
    (warn) => new RateLimiter({ it: { ...SEARCH, period: 60 } }, { warn }).limit("it").ok,
    true,
  ],
  [
    "`onCall` of a limiter",
    (onCall) => new RateLimiter(LIMITS, { onCall }).limit("search").ok,
    true,
  ],
  [
    "the listener of `instrumented`",
    (heard) =>
      new RateLimiter(LIMITS, { store: instrumented(memoryStore(), heard) as never }).limit(
        "search",
      ).ok,
    true,
  ],
  [
    "`warn` of `memoryStore`",
    (warn) => {
      const limiter = new RateLimiter(LIMITS, { store: memoryStore({ maxKeys: 2, warn }) });
      return ["a", "b", "c"].map((key) => limiter.limit("search", { key }).ok);
    },
    [true, true, true],
  ],
  [
    "`warn` of `serviceStore`",
    async (warn) => {
      const fetch = async () => new Response("{}", { status: 401 });
      const store = serviceStore("http://127.0.0.1:1", { fetch: fetch as never, warn });
      return (await new RateLimiter(LIMITS, { store }).limit("search")).reason;
    },
    "unavailable",
  ],
  [
    "`onEvent` of a store",
    async (onEvent) => {
      const executor = {
        timing: "later",
        name: "it",
        execute: async () => away(),
      } as Executor<"later">;
      const store = lent(resilient(executor, { onEvent } as never), { onEvent });
      return (await new RateLimiter(LIMITS, { store }).limit("search")).reason;
    },
    "unavailable",
  ],
  [
    "`warn` of `clientAddress`",
    (warn) =>
      clientAddress({ trust: ["0.0.0.0/0", "::/0"], warn })({
        address: HOME,
        header: () => undefined,
      }),
    HOME,
  ],
  [
    "`onEvent` of a shedder",
    async (onEvent) => {
      const shedder = adaptiveShedder({ onEvent });
      return (await shedder.admit({ priority: "none" as never })).ok;
    },
    true,
  ],
  ["`signal` of a shedder", (signal) => utilizationShedder({ signal }).admit().ok, true],
  ["`gate` of a shedder", async (gate) => (await adaptiveShedder({ gate }).admit()).ok, true],
  [
    "a signal that is read",
    (signal) => {
      const noValue = () => undefined;
      return safely(highest(signal), noValue)();
    },
    undefined,
  ],
  [
    "`learn` and `backOff` of a cap",
    (learn) => {
      const cap = new SafeCap({ cap: 5, learn, backOff: learn }, () => {});
      cap.learn({} as never);
      cap.backOff();
      return cap.cap;
    },
    5,
  ],
  [
    "`onEvent` of messages",
    (onEvent) => {
      const closed: unknown[] = [];
      const none = () => {};
      const close = (code: number) => void closed.push(code);
      const members = { pause: none, resume: none, terminate: none, close };
      const socket = Object.assign(new EventEmitter(), members);
      limitMessages(socket as never, new RateLimiter(LIMITS), { bytes: "search", onEvent });
      socket.emit("message", new Uint8Array(100));
      return closed;
    },
    [1009],
  ],
  [
    "`onEvent` of a client",
    async (onEvent) =>
      (await limitedFetch(busy, { onEvent, attempts: 1 })("http://a.example/")).status,
    503,
  ],
  [
    "`random` of a limiter",
    async (random) => {
      const limiter = new RateLimiter(SHARDED, { random, store: memoryStore() });
      for (let asks = 0; asks < 5; asks++) limiter.limit("search");
      const refusal = limiter.limit("search", { jitter: 5 });
      const held = limiter.acquire("places", { count: 2 });
      const waited = await limiter.acquire("places", { wait: TIMEOUT });
      held.release();
      return [Number.isInteger(refusal.retryAfter), waited.ok];
    },
    [true, false],
  ],
  [
    "`random` of a store",
    async (random) => {
      const clock = systemClock;
      const far = { ...later(), clock } as never;
      const limiter = new RateLimiter(SHARDED, {
        store: lent(sharded(far, random), { random }) as never,
      });
      return (await limiter.limit("split", { key: "k" })).ok;
    },
    true,
  ],
  [
    "`random` of a shedder",
    async (random) => {
      const shedder = utilizationShedder({ random, signal: () => 0.5 });
      return [shedder.admit().ok, (await adaptiveShedder({ random }).admit()).ok];
    },
    [true, true],
  ],
  [
    "`random` of a client",
    async (random) => {
      const backoff = { first: 1, most: 1 };
      const fetch = limitedFetch(busy, { random, attempts: 2, backoff });
      return (await fetch("http://a.example/")).status;
    },
    503,
  ],
  [
    "`onResponseError` of an interceptor's handler",
    async (onResponseError) => {
      const dispatch: Any = (_: unknown, to: Any) => {
        to.onResponseError({}, new Error("no answer"));
        return true;
      };
      let seen = 0;
      const handler = {
        onResponseError: () => {
          seen++;
          return onResponseError();
        },
      };
      const options = { origin: "http://a.example", path: "/", method: "POST" } as never;
      limitInterceptor({ attempts: 1 })(dispatch as UndiciDispatch)(options, handler as never);
      await until(() => seen > 0);
      return seen;
    },
    1,
  ],
  [
    "`close`, `terminate` and `once` of a socket",
    (wrong) => {
      const members = { pause() {}, resume() {}, terminate: wrong, close: wrong };
      const socket = Object.assign(new EventEmitter(), members);
      let received = 0;
      limitMessages(socket as never, new RateLimiter(LIMITS), { bytes: "search" });
      socket.on("message", () => received++);
      Object.assign(socket, { once: wrong });
      socket.emit("message", new Uint8Array(100));
      socket.emit("message", new Uint8Array(1));
      return received;
    },
    0,
  ],
  [
    "`pause` and `resume` of a socket",
    async (wrong) => {
      const members = { pause: wrong, resume: wrong, terminate() {}, close() {} };
      const socket = Object.assign(new EventEmitter(), members);
      let received = 0;
      const limiter = new RateLimiter(LIMITS, { store: later() as never });
      limitMessages(socket as never, limiter, { bytes: "search" });
      socket.on("message", () => received++);
      socket.emit("message", new Uint8Array(1));
      await until(() => received > 0);
      return received;
    },
    1,
  ],
  [
    "a listener of what is left",
    async (changed) => {
      const source = valueSource("http://a.example/", { fetch: async () => away() });
      const stop = source.subscribe(changed);
      await source.refresh();
      stop();
      return source.view().status;
    },
    "failed",
  ],
];

/** Memory, as one that answers later. */
function later() {
  const memory = memoryStore();
  return { timing: "later", execute: async (command: Any) => memory.execute(command) } as const;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(UNNEEDED)("%s", (_, use, comes) => {
  test.each(NAMES)("that %s changes nothing", async (fault) => {
    const rejections = watchRejections();
    expect(await use(FAULTS[fault])).toEqual(comes);
    await rejections.none();
  });
});

/** What a store's executor gets wrong is a failure of the store: the limit is closed then. */
const EXECUTORS: readonly (readonly [member: string, use: Use])[] = [
  ["execute", overExecutor("execute")],
  ["execute, at once", overExecutor("execute", "now")],
  ["nodeOf", overExecutor("nodeOf")],
  ["nodeOf, at once", overExecutor("nodeOf", "now")],
  ["blamesNode", overExecutor("blamesNode")],
  ["blamesNode, at once", overExecutor("blamesNode", "now")],
  ["mayConcernOne", overExecutor("mayConcernOne")],
  ["trouble", overExecutor("trouble")],
];

describe.each(EXECUTORS)("an executor's `%s`", (_, use) => {
  test.each(NAMES)("that %s is a store that is away", async (fault) => {
    const rejections = watchRejections();
    expect(await use(FAULTS[fault])).toEqual([false, "unavailable"]);
    await rejections.none();
  });
});

/** What is needed, and what the error names where it is not what was expected. */
const NEEDED: readonly (readonly [option: string, use: Use, field: string])[] = [
  ["`hostOf`", (hostOf) => limitedFetch(served, { hostOf })("http://a.example/"), "hostOf"],
  [
    "`key` of a client",
    (key) => {
      const own = { limiter: new RateLimiter(LIMITS), limit: "search" } as const;
      return limitedFetch(served, { ...own, key })("http://a.example/");
    },
    "key",
  ],
  [
    "`key` of a client with leases",
    (key) => {
      const own = { limiter: new RateLimiter(LIMITS), limit: ["search", "places"] } as const;
      return limitedFetch(served, { ...own, key })("http://a.example/");
    },
    "key",
  ],
  ["`tag`", (tag) => new RedisKeys("p", tag).stateKey(budget), "tag"],
  ["`tag`, checked", (tag) => new RedisKeys("p", tag).checkTag(budget), "tag"],
  [
    "`keys` of visitors",
    (keys) => new Visitors(new RateLimiter(LIMITS), { keys, newIds: "ids" }),
    "keys",
  ],
  [
    "`keys` of visitors, later",
    (wrong) => {
      let calls = 0;
      const keys = () => (calls++ === 0 ? KEYS : wrong());
      const visitors = new Visitors(new RateLimiter(LIMITS), { keys, newIds: "ids" });
      return visitors.enter({ cookie: null, address: HOME });
    },
    "keys",
  ],
  [
    "`location`",
    (location) => {
      const times = { startAt: 0, wait: 0, result: undefined, error: undefined };
      const job = { id: "a", state: "queued", ...times } as const;
      return submissionAnswer({ ok: true, job }, { location });
    },
    "location",
  ],
  ["`clock` of a store in memory", (clock) => memoryStore({ clock }), "clock"],
  ["`clock` of a client", (clock) => limitedFetch(served, { clock }), "clock"],
  ["`slotOf` of an executor", overExecutor("slotOf"), "executor.slotOf"],
];

describe.each(NEEDED)("%s", (_, use, field) => {
  test.each(NAMES)("that %s is an error", async (fault) => {
    const rejections = watchRejections();
    const error = await errorOf(() => use(FAULTS[fault]));
    if (fault.startsWith("throws")) expect(error).not.toMatchObject({ name: "TypeError" });
    else expect(error).toMatchObject({ name: "SpillwayError", field });
    await rejections.none();
  });
});

/** Whose promise is waited for, but not for ever. */
const AWAITED: readonly (readonly [option: string, use: Use, field: string, odd: unknown])[] = [
  [
    "`challenge`",
    async (challenge) => {
      const names = { newIds: "ids", proofs: "ids", timeout: TIMEOUT } as const;
      const visitors = new Visitors(new RateLimiter(LIMITS), { keys: KEYS, ...names, challenge });
      const request = { cookie: null, address: HOME, solution: "right" };
      return (await visitors.prove(request)).proved;
    },
    "challenge",
    false,
  ],
  [
    "what `cached` loads",
    (load) => {
      const planOf = cached(load, { for: "1m" });
      void Promise.resolve(planOf("a")).catch(() => {});
      return Promise.race([Promise.resolve(planOf("a")), tooLate("load")]);
    },
    "load",
    undefined,
  ],
];

describe.each(AWAITED)("%s", (_, use, field, odd) => {
  test.each(NAMES)("that %s", async (fault) => {
    const rejections = watchRejections();
    if (fault.startsWith("returns") || fault.startsWith("promises")) {
      if (odd !== undefined) expect(await use(FAULTS[fault])).toEqual(odd);
    } else {
      const error = await errorOf(async () => use(FAULTS[fault]));
      if (fault === "never settles") expect(error).toMatchObject({ code: "unavailable", field });
    }
    await rejections.none();
  });
});

async function tooLate(field: string): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, TIMEOUT));
  throw { code: "unavailable", field };
}

describe("`key` of what is left", () => {
  test.each(NAMES)("that %s shows nobody anything", async (fault) => {
    const rejections = watchRejections();
    const key = FAULTS[fault] as Any;
    const handler = valueHandler(new RateLimiter(LIMITS), {
      limit: "search",
      key,
      timeout: TIMEOUT,
    });
    const answer = await handler({ method: "GET" } as never).then(
      (response) => response as Response,
      () => undefined,
    );
    const { status = 500, headers } = answer ?? {};
    const expected = { "never settles": [503], "returns undefined": [401] }[fault as string];
    expect(expected ?? [500, 503]).toContain(status);
    if (headers !== undefined) expect(headers.get("cache-control")).toBe("no-store");
    await rejections.none();
  });
});

/** A signal of a program's own, of which one member is wrong. */
function signalWith(member: string, wrong: () => unknown): Any {
  const right = { aborted: false, reason: "gone", addEventListener() {}, removeEventListener() {} };
  const isCalled = member.endsWith("Listener");
  return Object.defineProperty(right, member, isCalled ? { value: wrong } : { get: wrong });
}

const MEMBERS = ["aborted", "reason", "addEventListener", "removeEventListener"] as const;

describe.each(MEMBERS)("a signal's `%s`", (member) => {
  test.each(NAMES)("that %s holds nobody up", async (fault) => {
    const rejections = watchRejections();
    const signal = signalWith(member, FAULTS[fault]);
    const limiter = new RateLimiter(LIMITS);
    const taken = limiter.acquire("places", { key: "k", count: 2 });
    expect((await limiter.acquire("places", { key: "k", wait: TIMEOUT, signal })).ok).toBe(false);
    const waiting = limiter.acquire("places", { key: "k", wait: "1h", signal });
    taken.release();
    expect((await waiting).ok).toBe(true);
    const sent = limitedFetch(busy, { backoff: { first: 1, most: 1 }, attempts: 2 });
    expect((await sent("http://a.example/", { signal } as never)).status).toBe(503);
    await rejections.none();
  });
});

test("a signal that is aborted, and says so to nobody, ends the waiting with its reason", async () => {
  const signal = {
    aborted: false,
    reason: "enough",
    addEventListener() {},
    removeEventListener() {},
  };
  for (const store of [memoryStore(), later()]) {
    const limiter = new RateLimiter(LIMITS, { store: store as never });
    const taken = await limiter.acquire("places", { key: "k", count: 2 });
    signal.aborted = false;
    const waiting = limiter.acquire("places", { key: "k", wait: TIMEOUT, signal });
    signal.aborted = true;
    await expect(waiting).rejects.toBe("enough");
    await taken.release();
    expect((await limiter.value("places", { key: "k" })).remaining).toBe(2);
  }
});

const BAD_STORE = { code: "bad-store", field: "store.execute" };

test.each(["renew", "release", "limit"] as const)(
  'a store of timing "now" that promises the answer to a %s drops no promise',
  async (verb) => {
    const rejections = watchRejections();
    for (const fault of NAMES.filter((name) => name.startsWith("rejects"))) {
      const memory = memoryStore();
      const execute = (command: Any) =>
        command.verb === verb ? FAULTS[fault]() : memory.execute(command);
      const limiter = new RateLimiter(LIMITS, { store: { timing: "now", execute } as never });
      if (verb === "limit") {
        const waiting = () => limiter.acquire("places", { key: "k", wait: TIMEOUT });
        const both = [errorOf(waiting), errorOf(() => limiter.limit("search"))];
        for (const error of await Promise.all(both)) expect(error).toMatchObject(BAD_STORE);
        continue;
      }
      const lease = limiter.acquire("places", { key: "k" });
      if (verb === "release") expect(lease.release()).toBe(false);
      else expect(await errorOf(() => lease.renew())).toMatchObject(BAD_STORE);
    }
    await rejections.none();
  },
);

test.each(["renew", "reset", "settle", "peek"] as const)(
  "a store that rejects a %s and throws at the next one fails the call, and no more",
  async (verb) => {
    const rejections = watchRejections();
    const memory = memoryStore();
    let calls = 0;
    const fails = async () => away();
    const execute = async (command: Any) => memory.execute(command);
    const broken = (command: Any) => {
      if (command.verb !== verb) return execute(command);
      return calls++ === 0 ? fails() : away();
    };
    const split = sharded({ timing: "later", execute: broken } as never, undefined as never);
    const store = verb === "renew" ? { timing: "later", execute: broken } : split;
    const limiter = new RateLimiter(SHARDED, { store: store as never });
    const use = {
      renew: async () => {
        const asks = [
          { limit: "places", key: "a" },
          { limit: "places", key: "b" },
        ] as const;
        return (await limiter.limitAll(asks)).lease?.renew();
      },
      reset: () => limiter.reset("split", { key: "k" }),
      settle: () => limiter.settle("split", { key: "k", reserved: 5, used: 0 }),
      peek: () => limiter.value("split", { key: "k" }),
    };
    await errorOf(use[verb]);
    await rejections.none();
  },
);

const METHODS = ["now", "add", "find", "cancel", "work"] as const;
const NOBODY = "6e1b0d4e-5d7e-4b7c-9c3c-3a3f3b1c2d4e";

describe.each(METHODS)("a queue's `%s`", (method) => {
  test.each(NAMES)("that %s is a queue that has failed", async (fault) => {
    const rejections = watchRejections();
    const queue = memoryQueue();
    const members = Object.fromEntries(
      METHODS.map((name) => [name, (queue[name] as Any).bind(queue)]),
    );
    const limiter = new RateLimiter({ it: { kind: "leaky bucket", ...RATE, capacity: 50 } });
    const broken = { precision: 500, ...members, [method]: FAULTS[fault] } as never;
    const deferred = new Deferred({ limiter, limit: "it", queue: broken, deadline: TIMEOUT });
    const calls = {
      work: () => deferred.work(() => "done").close(),
      now: () => deferred.submit("a"),
      add: () => deferred.submit("a"),
      find: () => deferred.find(NOBODY),
      cancel: () => deferred.cancel(NOBODY),
    };
    const isNone = fault === "returns undefined" && (method === "find" || method === "cancel");
    if (isNone) expect(await calls[method]()).toBeUndefined();
    else if (method === "work") await errorOf(calls.work);
    else expect(await errorOf(calls[method])).toMatchObject({ code: "queue-failed" });
    await rejections.none();
  });
});

test.each(NAMES.filter((fault) => fault.startsWith("rejects")))(
  "what `cached` loads is not kept where it %s",
  async (fault) => {
    let loads = 0;
    const planOf = cached(() => [FAULTS[fault], () => "plan"][loads++]?.() as Any, { for: "1m" });
    await expect(planOf("a")).rejects.not.toBe("plan");
    expect([await planOf("a"), loads]).toEqual(["plan", 2]);
  },
);

test("`repeat` of a client that promises is no yes, and one that throws holds no lease", async () => {
  const rejections = watchRejections();
  for (const fault of NAMES) {
    const limiter = new RateLimiter(LIMITS);
    const repeat = FAULTS[fault] as Any;
    const own = { limiter, limit: "places", key: "k", repeat, attempts: 3 } as const;
    const sent = limitedFetch(busy, own)("http://a.example/");
    const answer = await sent.catch(() => undefined);
    await answer?.text();
    expect(limiter.value("places", { key: "k" }).remaining, fault).toBe(2);
  }
  await rejections.none();
});

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new TypeError(`it went well at ${systemClock()}`);
}
