import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { MINUTE, RateLimiter, type SpillwayError } from "../../../src/index.ts";
import { denialCache, resilient, sharded } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { instrumented, type StoreCall } from "../../../src/stores/telemetry/index.ts";
import { conformance, manualClock } from "../../../src/testing/index.ts";
import { away, later } from "../../limiter/later.ts";

const LIMITS = {
  search: { kind: "fixed window", rate: 2, period: MINUTE },
  tokens: { kind: "token bucket", rate: 10, period: MINUTE, maxReserved: 20 },
  reports: { kind: "concurrency", capacity: 1, ttl: MINUTE },
} as const;

function setUp() {
  const clock = manualClock();
  const calls: StoreCall[] = [];
  const onCall = (call: StoreCall) => void calls.push(call);
  const limiter = new RateLimiter(LIMITS, { store: memoryStore({ clock }), onCall });
  const last = () => {
    const { verb, outcomes } = calls.at(-1) as StoreCall;
    return [verb, ...outcomes.map(({ limit, result, taken }) => [limit, result, taken])];
  };
  return { clock, calls, limiter, last };
}

test.each(conformance((clock) => instrumented(memoryStore({ clock }), () => {})))(
  "an instrumented store is a store: $name",
  async ({ run }) => run(),
);

test("every verb is reported once, with what came of it", () => {
  const { calls, limiter, last } = setUp();
  limiter.limit("search", { key: "a", count: 2 });
  expect(last()).toEqual(["limit", ["search", "admitted", 2]]);
  limiter.limit("search", { key: "a" });
  expect(last()).toEqual(["limit", ["search", "limited", 0]]);
  limiter.check("search", { key: "b" });
  expect(last()).toEqual(["check", ["search", "admitted", 0]]);
  limiter.limit("search", { key: "b", count: 3 });
  expect(last()).toEqual(["limit", ["search", "too large", 0]]);
  limiter.block("search", { key: "b", for: 1000 });
  expect(last()).toEqual(["block", ["search", "done", 0]]);
  limiter.limit("search", { key: "b" });
  expect(last()).toEqual(["limit", ["search", "blocked", 0]]);
  limiter.unblock("search", { key: "b" });
  limiter.value("search", { key: "b" });
  limiter.reset("search", { key: "b" });
  limiter.settle("tokens", { key: "b", reserved: 1, used: 0 });
  // Before an entry is removed, the state is read.
  const latest = ["unblock", "value", "value", "reset", "settle"];
  expect(calls.slice(-5).map(({ verb }) => verb)).toEqual(latest);
  expect(calls).toHaveLength(11);
  for (const { duration, error } of calls) {
    expect(duration).toBeGreaterThanOrEqual(0);
    expect(error).toBe(undefined);
  }
});

test("what is taken together is one call, of which each budget has an outcome", () => {
  const { calls, limiter, last } = setUp();
  const both = [{ limit: "search" }, { limit: "tokens", count: 4 }] as const;
  limiter.limitAll(both);
  expect(last()).toEqual(["limit", ["search", "admitted", 1], ["tokens", "admitted", 4]]);
  limiter.limit("search");
  limiter.limitAll(both);
  expect(last()).toEqual(["limit", ["search", "limited", 0], ["tokens", "not taken", 0]]);
  expect(calls).toHaveLength(3);
});

test("units taken ahead of time say so, and when the work may start", () => {
  const { calls, limiter } = setUp();
  limiter.limit("tokens", { count: 10, reserve: true });
  limiter.limit("tokens", { count: 5, reserve: true });
  expect(calls.map(({ outcomes: [one] }) => [one?.reserved, one?.retryAfter])).toEqual([
    [false, 0],
    [true, MINUTE / 2],
  ]);
});

test("leases are seen to be acquired, renewed, released, and over before they were", () => {
  const { clock, limiter, last } = setUp();
  const lease = limiter.acquire("reports");
  expect(last()).toEqual(["limit", ["reports", "admitted", 1]]);
  lease.renew();
  expect(last()).toEqual(["renew", ["reports", "held", 0]]);
  lease.release();
  expect(last()).toEqual(["release", ["reports", "held", 0]]);
  const late = limiter.acquire("reports");
  clock.advance(MINUTE);
  late.release();
  expect(last()).toEqual(["release", ["reports", "over", 0]]);
});

test("keys are reported where that was asked for, and only there", () => {
  const seen: (string | undefined)[] = [];
  const note = ({ outcomes }: StoreCall) => void seen.push(outcomes[0]?.key);
  const store = memoryStore({ clock: manualClock() });
  for (const options of [{}, { keys: true }]) {
    const limiter = new RateLimiter(LIMITS, { store: instrumented(store, note, options) });
    limiter.limit("search", { key: "ann@example.org" });
    limiter.value("search", { key: "ann@example.org" });
  }
  expect(seen).toEqual([undefined, undefined, "ann@example.org", "ann@example.org"]);
});

test("fallback decisions, and calls that have none, are reported as such", async () => {
  const calls: StoreCall[] = [];
  const store = away(memoryStore({ clock: manualClock() }));
  const limiter = new RateLimiter(LIMITS, { store, onCall: (call) => calls.push(call) });
  await limiter.limit("search");
  const lost = limiter.value("search");
  await expect(lost).resolves.toBeDefined();
  expect(calls[0]?.outcomes).toMatchObject([{ result: "unavailable", degraded: true }]);
  const failing = instrumented(
    { timing: "later", execute: () => Promise.reject(new Error("gone")) },
    (call) => calls.push(call),
  );
  const broken = new RateLimiter(LIMITS, { store: failing });
  await expect(broken.limit("tokens", { count: 3 })).rejects.toThrow("gone");
  expect(calls.at(-1)).toMatchObject({
    verb: "limit",
    error: { message: "gone" },
    outcomes: [{ limit: "tokens", result: "failed", count: 3, taken: 0 }],
  });
});

test("a listener that throws or rejects changes no answer", async () => {
  for (const onCall of [
    () => {
      throw new Error("a fault of the listener");
    },
    () => Promise.reject(new Error("a later fault of it")),
  ]) {
    const limiter = new RateLimiter(LIMITS, { store: memoryStore(), onCall });
    expect(limiter.limit("search").ok).toBe(true);
  }
  // A rejection that nobody handles would have failed this run by now.
  await new Promise((resolve) => setImmediate(resolve));
});

test("a promised answer is reported when it is there, before the caller goes on", async () => {
  const order: string[] = [];
  const store = instrumented(later(memoryStore()), () => void order.push("reported"));
  const answer = new RateLimiter(LIMITS, { store }).limit("search");
  order.push("asked");
  await answer;
  order.push("answered");
  expect(order).toEqual(["asked", "reported", "answered"]);
});

test("it has what its store has, and nothing more", () => {
  const keysOf = (store: object) => Object.keys(store).sort();
  const none = () => {};
  expect(keysOf(instrumented(memoryStore(), none))).toEqual([
    "execute",
    "isOwn",
    "limit",
    "overrides",
    "penalties",
    "register",
    "timing",
  ]);
  expect(keysOf(instrumented(later(memoryStore()), none))).toEqual(["execute", "timing"]);
  const executor = { timing: "later", name: "none", execute: async () => [] } as const;
  const far = resilient(executor);
  expect(keysOf(instrumented(far, none))).toEqual(["execute", "limit", "observe", "timing"]);
  expect(instrumented(sharded(denialCache(far)), none).timing).toBe("later");
});

test("transactions are reported too", () => {
  const calls: StoreCall[] = [];
  const inside = memoryStore();
  const store = { ...plain(memoryStore()), within: () => plain(inside) };
  const limiter = new RateLimiter(LIMITS, { store, onCall: (call) => calls.push(call) });
  limiter.within({}).limit("search");
  expect(calls.map(({ verb }) => verb)).toEqual(["limit"]);
  expect(inside.stats().keys).toBe(1);
});

function plain(store: ReturnType<typeof memoryStore>) {
  return { timing: "now" as const, execute: store.execute.bind(store) };
}

test.each<[string, () => unknown]>([
  ["bad-option", () => new RateLimiter(LIMITS, { onCall: "log" as never })],
  ["bad-option", () => instrumented(memoryStore(), undefined as never)],
  ["bad-option", () => instrumented(memoryStore(), () => {}, { keys: 1 as never })],
  ["unknown-field", () => instrumented(memoryStore(), () => {}, { key: true } as never)],
  ["bad-store", () => instrumented({} as never, () => {})],
])("misuse is %s", (code, make) => {
  let error: SpillwayError | undefined;
  try {
    make();
  } catch (caught) {
    error = caught as SpillwayError;
  }
  expect(error?.code).toBe(code);
});

/** How often functions of the folder are called while something runs. */
async function callsOfTelemetry(run: () => void): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const functions = result
    .filter(({ url }) => /\/src\/stores\/telemetry\/(?:instrumented|outcomes)\.ts/.test(url))
    .flatMap((script) => script.functions)
    .filter(({ functionName }) => functionName !== "");
  return functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
}

test("whoever doesn't listen runs none of it", async () => {
  const clock = manualClock();
  const asks = (onCall?: () => void) => {
    const store = memoryStore({ clock });
    const limiter = new RateLimiter(LIMITS, onCall === undefined ? { store } : { store, onCall });
    return () => {
      for (let times = 0; times < 100; times++) limiter.limit("search", { key: `${times}` });
    };
  };
  expect(await callsOfTelemetry(asks())).toBe(0);
  expect(await callsOfTelemetry(asks(() => {}))).toBeGreaterThanOrEqual(300);
});
