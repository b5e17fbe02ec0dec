import { describe, expect, expectTypeOf, test, vi } from "vitest";
import {
  DAY,
  type Decision,
  HOUR,
  type JointAnswer,
  type Limits,
  MINUTE,
  RateLimiter,
  SECOND,
  type Timing,
} from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { manualClock } from "../../src/testing/index.ts";
import { alter } from "../alter.ts";
import { fresh } from "../fresh.ts";
import { later } from "./later.ts";

const LIMITS = {
  login: { kind: "token bucket", rate: 5, period: MINUTE },
  daily: { kind: "fixed window", rate: 10, period: 24 * HOUR },
} as const;

describe("decisions", () => {
  test("have the same fields in the same order on every path", () => {
    const { limiter } = fresh(LIMITS);
    const fields = [
      "ok",
      "limit",
      "capacity",
      "remaining",
      "retryAfter",
      "resetAfter",
      "reason",
      "degraded",
    ];
    const decisions = [
      limiter.limit("login", { key: "k" }),
      limiter.limit("login", { key: "k", count: 5 }),
      limiter.limit("login", { key: "k", count: 6 }),
      limiter.limit("login", { key: "k", count: 6, reserve: true }),
      limiter.check("daily", { jitter: 10 }),
    ];
    limiter.block("login", { key: "k", for: SECOND });
    decisions.push(limiter.limit("login", { key: "k" }));
    for (const decision of decisions) expect(Object.keys(decision)).toEqual(fields);
  });

  test("are values of their own: later asks do not change them", () => {
    const { limiter } = fresh(LIMITS);
    const first = limiter.limit("login", { key: "k" });
    limiter.limit("login", { key: "k" });
    expect(first).toMatchObject({ ok: true, remaining: 4 });
  });
});

describe("windows without a start", () => {
  const ends = (limiter: RateLimiter<typeof LIMITS>) =>
    Array.from({ length: 200 }, (_, i) => limiter.limit("daily", { key: `user ${i}` }).resetAfter);

  test("end at an instant of their own for each key", () => {
    const instants = ends(fresh(LIMITS).limiter);
    expect(new Set(instants).size).toBe(200);
    const spread = Math.max(...instants) - Math.min(...instants);
    expect(spread).toBeGreaterThan(20 * HOUR);
  });

  test("which is the same in every process", () => {
    expect(ends(fresh(LIMITS).limiter)).toEqual(ends(fresh(LIMITS).limiter));
    expect(fresh(LIMITS).limiter.limit("daily", { key: "user 1" }).resetAfter).toBe(67_781_131);
  });
});

describe("jitter", () => {
  test("comes only when asked for, and never makes a wait shorter", () => {
    const { limiter } = fresh(LIMITS);
    limiter.limit("login", { key: "k", count: 5 });
    const waits = Array.from(
      { length: 200 },
      () => limiter.check("login", { key: "k", jitter: 5 * SECOND }).retryAfter,
    );
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(12 * SECOND);
    expect(Math.max(...waits)).toBeLessThanOrEqual(17 * SECOND);
    expect(new Set(waits).size).toBeGreaterThan(100);
    expect(limiter.check("login", { key: "k" }).retryAfter).toBe(12 * SECOND);
  });

  test("puts a reserved start no further away than timers go", () => {
    const store = memoryStore({ clock: manualClock() });
    const daily = { kind: "token bucket", rate: 1, period: DAY } as const;
    const limiter = new RateLimiter({ daily }, { store, random: () => 0.999 });
    const options = { reserve: true, jitter: 10 * DAY };
    const waits = Array.from({ length: 25 }, () => limiter.limit("daily", options).retryAfter);
    expect(Math.max(...waits)).toBe(2 ** 31 - 1);
  });

  test("does not delay what may go now, nor end a wait that has no end", () => {
    const { limiter } = fresh(LIMITS);
    expect(limiter.limit("login", { key: "k", jitter: SECOND }).retryAfter).toBe(0);
    expect(limiter.limit("login", { key: "k", jitter: SECOND, count: 9 }).retryAfter).toBe(
      Infinity,
    );
  });
});

describe("keys", () => {
  test("of a megabyte cost no more than short ones, and stay apart", () => {
    const { limiter } = fresh(LIMITS);
    const long = "x".repeat(1_000_000);
    limiter.limit("login", { key: `${long}a`, count: 5 });
    expect(limiter.limit("login", { key: `${long}a` }).ok).toBe(false);
    expect(limiter.limit("login", { key: `${long}b` }).ok).toBe(true);
  });

  test("that read like the digest of a long one are not taken for it", () => {
    const { limiter, store } = fresh(LIMITS);
    const seen = vi.spyOn(store, "limit");
    limiter.limit("login", { key: "y".repeat(300), count: 5 });
    const digest = seen.mock.calls[0]?.[0].key as string;
    expect(digest).toHaveLength(71);
    expect(limiter.limit("login", { key: digest }).ok).toBe(true);
    expect(limiter.limit("login", { key: "y".repeat(300) }).ok).toBe(false);
  });
});

describe("inline configs", () => {
  test("need no definition, and share a budget by name", () => {
    const { limiter } = fresh(LIMITS);
    const config = { kind: "fixed window", rate: 2, period: "30d" } as const;
    expect(limiter.limit("trial", { key: "org", config }).remaining).toBe(1);
    expect(limiter.limit("trial", { key: "org", config: { ...config } }).remaining).toBe(0);
    expect(limiter.limit("trial", { key: "org", config: { ...config, rate: 5 } }).remaining).toBe(
      2,
    );
  });

  test("are checked each time, though one like it was right", () => {
    const { limiter } = fresh(LIMITS);
    const config = { kind: "token bucket", rate: 2, period: MINUTE } as const;
    limiter.limit("tier", { key: "k", config });
    const wrong = { ...config, capacity: () => 3 } as never;
    expect(() => limiter.limit("tier", { key: "k", config: wrong })).toThrow(
      "capacity is a function",
    );
    const circular: Record<string, unknown> = { ...config };
    circular.self = circular;
    expect(() => limiter.limit("tier", { config: circular as never })).toThrow(
      'unknown field "self"',
    );
  });

  test("are read each time, so that one that is changed counts as it is", () => {
    const { limiter } = fresh(LIMITS);
    const config = { kind: "token bucket", rate: 2, period: MINUTE } as const;
    const tier: { kind: "token bucket"; rate: number; period: number } = { ...config };
    limiter.limit("tier", { key: "k", config: tier });
    tier.rate = 7;
    expect(limiter.limit("tier", { key: "k", config: tier }).capacity).toBe(7);
  });

  test("by the thousand are forgotten, not kept", () => {
    const { limiter } = fresh(LIMITS);
    for (let rate = 1; rate < 5000; rate++) {
      const config = { kind: "token bucket", rate, period: MINUTE } as const;
      expect(limiter.limit("tier", { key: `k ${rate}`, config }).capacity).toBe(rate);
    }
  });
});

test("asks on one budget reserve only if all of them do", () => {
  const { limiter } = fresh(LIMITS);
  const ask = { limit: "login", key: "k", count: 4 } as const;
  expect(limiter.limitAll([{ ...ask, reserve: true }, ask]).ok).toBe(false);
  expect(limiter.limitAll([ask, { ...ask, reserve: true }]).ok).toBe(false);
  const both = [
    { ...ask, reserve: true },
    { ...ask, reserve: true },
  ];
  expect(limiter.limitAll(both)).toMatchObject({ ok: true, retryAfter: 36_000 });
});

test("several limits named alike in one call need one definition", () => {
  const { limiter } = fresh(LIMITS);
  const config = { kind: "token bucket", rate: 1, period: MINUTE } as const;
  expect(() => limiter.limitAll([{ limit: "login" }, { limit: "login", config }])).toThrow(
    "one definition",
  );
});

test("with a store across a network, everything is promised", async () => {
  const limiter = new RateLimiter(LIMITS, { store: later(memoryStore({ clock: manualClock() })) });
  expectTypeOf(limiter.limit("login")).toEqualTypeOf<Promise<Decision>>();
  expect(limiter.limit("login")).toBeInstanceOf(Promise);
  expect(await limiter.limit("login", { count: 3 })).toMatchObject({ ok: true, remaining: 0 });
  await expect(limiter.limit("login", { throws: true })).rejects.toMatchObject({ code: "limited" });
  const joint = await limiter.limitAll([{ limit: "login" }, { limit: "daily" }]);
  expect(joint).toMatchObject({ ok: false, refused: ["login"] });
});

test("a store may promise with a thenable of its own", async () => {
  const store = later(memoryStore({ clock: manualClock() }));
  const { limit } = asking({ ...store, execute: store.execute.bind(store) });
  // biome-ignore lint/suspicious/noThenProperty: what some drivers return is no Promise
  alter(store, { limit: (ask) => ({ then: (done: never) => limit(ask).then(done) }) as never });
  const limiter = new RateLimiter(LIMITS, { store });
  expect(await limiter.limit("login", { throws: true })).toMatchObject({ ok: true, remaining: 4 });
});

test("types know the names, the answers and the options", () => {
  const { limiter } = fresh(LIMITS);
  expectTypeOf(limiter.limit("login")).toEqualTypeOf<Decision>();
  expectTypeOf(limiter.limitAll([{ limit: "login" }])).toEqualTypeOf<JointAnswer<"now">>();
  expectTypeOf(limiter.reset("login")).toEqualTypeOf<void>();
  // @ts-expect-error: no limit of this name
  expect(() => limiter.limit("logn")).toThrow();
  // @ts-expect-error: no option of this name
  expect(() => limiter.limit("login", { cost: 1 })).toThrow();
  // @ts-expect-error: a key that may be undefined
  expect(() => limiter.limit("login", { key: undefined })).toThrow();
  // @ts-expect-error: no such kind
  expect(() => new RateLimiter({ a: { kind: "bucket", rate: 1, period: 1 } })).toThrow();
  const any: RateLimiter<Limits, Timing> = limiter as never;
  expectTypeOf(any).toHaveProperty("limit");
});

test("windows without a start are each key's own, and stand: the waits of docs/algorithms", () => {
  const store = memoryStore({ clock: manualClock(Date.UTC(2026, 0, 5)) });
  const search = { kind: "fixed window", rate: 5, period: MINUTE } as const;
  const limiter = new RateLimiter({ search, aligned: { ...search, start: 0 } }, { store });
  const waits = (limit: "search" | "aligned") =>
    ["ada", "ben", "cleo"].map((key) => {
      limiter.limit(limit, { key, count: 5 });
      return limiter.limit(limit, { key }).retryAfter;
    });
  expect(waits("search")).toEqual([30_207, 49_607, 6060]);
  expect(waits("aligned")).toEqual([MINUTE, MINUTE, MINUTE]);
});
