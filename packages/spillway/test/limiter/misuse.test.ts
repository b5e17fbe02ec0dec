/** What a program does wrong speaks, and touches no state. */
import { describe, expect, test, vi } from "vitest";
import { MINUTE, RateLimitError, RateLimiter, SpillwayError } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { fresh } from "../fresh.ts";
import { later } from "./later.ts";

const LIMITS = {
  sendMessage: { kind: "token bucket", rate: 5, period: MINUTE },
  search: { kind: "sliding window", rate: 5, period: MINUTE },
} as const;

// A program without types.
type Untyped = { [method: string]: (...anything: unknown[]) => unknown };

const thrown = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

const methods = Object.fromEntries(
  Object.keys(later(memoryStore()))
    .filter((field) => field !== "mode")
    .map((method) => [method, () => {}]),
);

describe("misuse throws a coded error and touches nothing", () => {
  test.each<[string, string, unknown[]]>([
    ["unknown-limit", "limit", ["sendMesage"]],
    ["unknown-limit", "limit", ["__proto__"]],
    ["unknown-limit", "limit", [undefined]],
    ["unknown-limit", "limit", [Symbol("s")]],
    ["bad-ask", "limit", ["sendMessage", "user 1"]],
    ["bad-ask", "limit", ["sendMessage", null]],
    ["bad-key", "limit", ["sendMessage", { key: undefined }]],
    ["bad-key", "limit", ["sendMessage", { key: 7 }]],
    ["bad-key", "limit", ["sendMessage", { key: null }]],
    ["bad-key", "limit", ["sendMessage", { key: ["a"] }]],
    ["bad-count", "limit", ["sendMessage", { key: "k", count: NaN }]],
    ["bad-count", "limit", ["sendMessage", { key: "k", count: -1 }]],
    ["bad-count", "limit", ["sendMessage", { key: "k", count: 0.5 }]],
    ["bad-count", "limit", ["sendMessage", { key: "k", count: Infinity }]],
    ["bad-count", "limit", ["sendMessage", { key: "k", count: "1" }]],
    ["bad-count", "check", ["sendMessage", { key: "k", count: null }]],
    ["bad-jitter", "limit", ["sendMessage", { key: "k", jitter: NaN }]],
    ["unknown-field", "limitAll", [[{ limit: "sendMessage", key: "k" }], { trows: true }]],
    ["bad-ask", "limitAll", [[{ limit: "sendMessage", key: "k" }], null]],
    ["bad-jitter", "limitAll", [[{ limit: "sendMessage", key: "k" }], { jitter: -1 }]],
    ["unknown-field", "limit", ["sendMessage", { key: "k", cost: 3 }]],
    ["unknown-field", "limit", ["sendMessage", { id: "k" }]],
    ["unknown-field", "settle", ["sendMessage", { key: "k", reserved: 1, used: 1, count: 1 }]],
    ["no-reservations", "limit", ["search", { key: "k", reserve: true }]],
    ["bad-option", "limit", ["sendMessage", { key: "k", reserve: "yes" }]],
    ["bad-option", "limit", ["sendMessage", { key: "k", reserve: 0 }]],
    ["bad-option", "limit", ["sendMessage", { key: "k", throws: "no" }]],
    ["bad-option", "limitAll", [[{ limit: "sendMessage", key: "k" }], { throws: 1 }]],
    ["bad-rate", "limit", ["x", { key: "k", config: { ...LIMITS.search, rate: NaN } }]],
    ["bad-limit", "limit", ["x", { key: "k", config: "5/min" }]],
    ["bad-ask", "limitAll", [[]]],
    ["bad-ask", "limitAll", [{ limit: "sendMessage" }]],
    ["bad-ask", "limitAll", [[null]]],
    ["bad-ask", "limitAll", [Array(2)]],
    ["bad-ask", "checkAll", [Object.assign(Array(2), [{ limit: "sendMessage", key: "k" }])]],
    ["unknown-limit", "limitAll", [[{ limit: "sendMessage", key: "k" }, { limit: "no" }]]],
    [
      "bad-count",
      "limitAll",
      [
        [
          { limit: "sendMessage", key: "k" },
          { limit: "search", count: -1 },
        ],
      ],
    ],
    ["unknown-field", "limitAll", [[{ limit: "sendMessage", key: "k", throws: true }]]],
    ["bad-settlement", "settle", ["sendMessage", { key: "k", reserved: NaN, used: 1 }]],
    ["bad-settlement", "settle", ["sendMessage", { key: "k", reserved: 1 }]],
    ["bad-settlement", "settle", ["sendMessage", { key: "k", reserved: 1, used: -5 }]],
    ["bad-settlement", "settle", ["sendMessage"]],
    ["bad-block", "block", ["sendMessage", { key: "k" }]],
    ["bad-block", "block", ["sendMessage", { key: "k", for: Infinity }]],
    ["bad-block", "block", ["sendMessage", { key: "k", for: "for ever" }]],
    ["bad-block", "block", ["sendMessage"]],
  ])("%s: %s(%j)", (code, method, args) => {
    const { limiter, store } = fresh(LIMITS);
    const error = thrown(() => (limiter as unknown as Untyped)[method]?.call(limiter, ...args));
    expect(error).toBeInstanceOf(SpillwayError);
    expect(error).toMatchObject({ code });
    expect(store.stats().keys).toBe(0);
  });

  test.each([null, undefined, {}, Object.create(null), () => {}, Symbol("k")])(
    "a key that is %s is not advised to be its text, the same for everybody",
    (key) => {
      const error = thrown(() => fresh(LIMITS).limiter.limit("sendMessage", { key } as never));
      expect((error as Error).message).toMatch(/expected a string/);
      expect((error as Error).message).not.toContain("String(key)");
    },
  );

  const limit = "sendMessage";
  class Empty {}
  class Named {
    get key() {
      return "k";
    }
  }

  describe.each<[string, () => object]>([
    ["a promise", () => Promise.resolve({ key: "k" })],
    ["a map", () => new Map([["key", "k"]])],
    ["a set", () => new Set(["k"])],
    ["a list", () => []],
    ["a date", () => new Date(0)],
    ["an expression", () => /k/],
    ["a string in a box", () => new String("")],
    ["an error", () => new Error("k")],
    ["an instance that says nothing", () => new Empty()],
  ])("%s is no options, and not options that were left out", (_, make) => {
    const reports = { kind: "concurrency", capacity: 3, ttl: "1m" } as const;
    const opened = () => {
      const store = memoryStore({ clock: manualClock() });
      const limiter = new RateLimiter({ ...LIMITS, reports }, { store });
      return { store, limiter: limiter as unknown as Untyped };
    };

    test.each<[string, (given: object) => unknown[]]>([
      ["limit", (given) => [limit, given]],
      ["check", (given) => [limit, given]],
      ["value", (given) => [limit, given]],
      ["reset", (given) => [limit, given]],
      ["settle", (given) => [limit, given]],
      ["block", (given) => [limit, given]],
      ["unblock", (given) => [limit, given]],
      ["acquire", (given) => ["reports", given]],
      ["run", (given) => ["reports", given, () => {}]],
      ["limitAll", (given) => [[{ limit, key: "k" }], given]],
      ["checkAll", (given) => [[{ limit, key: "k" }], given]],
      ["limitAll", (given) => [[{ limit, key: "k" }, given]]],
      ["checkAll", (given) => [[given]]],
    ])("%s", async (method, args) => {
      for (const asked of [0, 2000]) {
        const { store, limiter } = opened();
        for (let i = 0; i < asked; i++) limiter.check?.(limit, { key: "k" });
        const call = async () => limiter[method]?.(...args(make()));
        await expect(call()).rejects.toMatchObject({ code: "bad-ask" });
        expect(store.stats().keys).toBe(0);
      }
    });

    test.each<[string, string, (given: never) => unknown]>([
      ["bad-limit", "limits", (given) => new RateLimiter(given)],
      ["bad-option", "options", (given) => new RateLimiter(LIMITS, given)],
      ["bad-option", "options", (given) => memoryStore(given)],
    ])("%s: %s", (code, _, call) => {
      expect(thrown(() => call(make() as never))).toMatchObject({ code });
    });
  });

  test("a missing await is suggested", () => {
    const limiter = fresh(LIMITS).limiter as unknown as Untyped;
    const promised = Promise.resolve({ key: "k" });
    expect(() => limiter.limit?.(limit, promised)).toThrow(
      'limit "sendMessage": options is an object, expected options such as { key: userId }, a plain object. It is a promise: is an `await` missing?',
    );
  });

  test.each<[string, object]>([
    ["without a prototype", Object.assign(Object.create(null), { key: "k" })],
    ["of an instance that has a key", new Named()],
    ["that inherit their key", Object.create({ key: "k" })],
  ])("options %s are read by every call", async (_, options) => {
    const { store, limiter } = fresh(LIMITS);
    const config = { kind: "concurrency", capacity: 3, ttl: "1m" } as const;
    const untyped = limiter as unknown as Untyped;
    untyped.limit?.(limit, options);
    const ask = Object.create(options, { limit: { value: limit } });
    expect(untyped.limitAll?.([ask])).toMatchObject({ ok: true, remaining: 3 });
    await untyped.run?.("x", Object.create(options, { config: { value: config } }), () => {
      expect(limiter.value("x", { key: "k", config }).remaining).toBe(2);
    });
    expect(limiter.value(limit, { key: "k" }).remaining).toBe(3);
    expect(limiter.value(limit).remaining).toBe(5);
    expect(store.stats().keys).toBe(2);
  });

  test("options that say nothing are those of a global limit", () => {
    const { limiter } = fresh(LIMITS);
    limiter.limit(limit, {});
    limiter.limit(limit, Object.create(null));
    expect(limiter.limit(limit, undefined as never).remaining).toBe(2);
  });

  test("a name that is nearly right is suggested", () => {
    const { limiter } = fresh(LIMITS);
    const call = () => (limiter as unknown as Untyped).limit?.call(limiter, "sendMesage");
    expect(call).toThrow(
      'limit is "sendMesage", expected one of "sendMessage", "search". Did you mean "sendMessage"?',
    );
  });

  test.each([
    ["clock", "pass { store: memoryStore({ clock }) }"],
    ["maxKeys", "pass { store: memoryStore({ maxKeys }) }"],
    ["stor", "Did you mean store?"],
  ])("a setting %s that is the store's is shown its place", (field, hint) => {
    const options = { [field]: manualClock() };
    const error = thrown(() => new RateLimiter(LIMITS, options as never));
    expect(error).toMatchObject({ code: "unknown-field", field });
    expect((error as Error).message).toContain(hint);
  });

  test("an option that is called otherwise elsewhere is suggested", () => {
    const { limiter } = fresh(LIMITS);
    const call = () =>
      (limiter as unknown as Untyped).limit?.call(limiter, "search", { key: "k", cost: 3 });
    expect(call).toThrow("Did you mean count?");
  });

  test.each([1, 2, 3, 5, 10, 60, 62])(
    "a misspelt option that one of %d calls has is warned of once, however late it comes",
    (turn) => {
      const warnings: string[] = [];
      const limiter = new RateLimiter(LIMITS, { warn: (text) => warnings.push(text) });
      const check = (options: object) =>
        (limiter as unknown as Untyped).check?.call(limiter, "search", options);
      for (let i = 0; i < 1000; i++) check({ key: "k" });
      for (let i = 0; i < 100 * turn; i++) {
        const options = i % turn === 0 ? { key: "k", points: 2 } : { key: "k" };
        expect(check(options)).toMatchObject({ ok: true });
      }
      expect(warnings).toEqual([expect.stringContaining('"points"')]);
      expect(warnings[0]).toContain("Did you mean count?");
    },
  );

  test.each([
    { kind: "token bucket", rate: 0, period: "1m" },
    { kind: "fixed window", rate: 5, capacity: 0, period: "1m" },
    { kind: "concurrency", capacity: 0, ttl: "1m" },
  ] as const)("a refusal by a limit that admits nothing says so: %j", async (limit) => {
    const limiter = new RateLimiter({ none: limit });
    const answer = limiter.limitAll([{ limit: "none", key: "k" }], { throws: false });
    expect(new RateLimitError(answer).message).toContain("its capacity is 0, which admits nothing");
    const plenty = new RateLimiter({ some: { kind: "token bucket", rate: 1, period: "1m" } });
    const refused = plenty.limit("some", { key: "k", count: 2 });
    expect(new RateLimitError(refused).message).toContain("refused (too large)");
  });

  test("an option without a key is looked at however often was asked before", () => {
    const { limiter } = fresh(LIMITS);
    for (let i = 0; i < 2000; i++) limiter.check("search", { key: "k" });
    const call = () => (limiter as unknown as Untyped).limit?.call(limiter, "search", { id: "k" });
    expect(call).toThrow("Did you mean key?");
  });

  test.each([
    ["bad-store", () => new RateLimiter(LIMITS, { store: {} as never })],
    ["bad-store", () => new RateLimiter(LIMITS, { store: null as never })],
    [
      "bad-store",
      () => new RateLimiter(LIMITS, { store: { ...methods, timing: "sync" } as never }),
    ],
    ["bad-max-keys", () => memoryStore({ maxKeys: 0 })],
    ["bad-max-keys", () => memoryStore({ maxKeys: NaN })],
    ["bad-max-keys", () => memoryStore({ maxKeys: 1e9 })],
    ["bad-clock", () => memoryStore({ clock: 5 as never })],
    ["bad-clock", () => memoryStore({ clock: () => 0.5 })],
    ["bad-clock", () => memoryStore({ clock: () => NaN })],
    ["unknown-field", () => memoryStore({ max: 5 } as never)],
    ["bad-option", () => memoryStore(null as never)],
    ["unknown-field", () => new RateLimiter(LIMITS, { stor: memoryStore() } as never)],
    ["bad-option", () => new RateLimiter(LIMITS, null as never)],
    ["bad-option", () => new RateLimiter(LIMITS, { random: 0.5 as never })],
    ["bad-limit", () => new RateLimiter(new Map() as never)],
    ["bad-limit", () => new RateLimiter([LIMITS.search] as never)],
    ["bad-limit", () => new RateLimiter(undefined as never)],
    ["bad-limit", () => new RateLimiter({ a: undefined as never })],
  ])("%s", (code, build) => {
    expect(thrown(build)).toMatchObject({ code });
  });
});

describe("what is probably not meant is warned of", () => {
  test("a block in milliseconds that reads like seconds", () => {
    const warn = vi.fn();
    const limiter = new RateLimiter(LIMITS, { warn });
    limiter.block("search", { key: "k", for: "60ms" });
    limiter.block("search", { key: "k", for: 2 * MINUTE });
    expect(warn).not.toHaveBeenCalled();
    limiter.block("search", { key: "k", for: 60 });
    limiter.block("search", { key: "k", for: 60 });
    expect(warn.mock.calls).toEqual([
      [
        'limit "search": for is 60 milliseconds. If you meant a minute, write "1m"; if not, write "60ms"',
      ],
    ]);
  });

  test("a period in milliseconds that reads like seconds", () => {
    const warn = vi.fn();
    new RateLimiter({ login: { kind: "token bucket", rate: 5, period: 60 } }, { warn });
    expect(warn).toHaveBeenCalledWith(
      'limit "login": period is 60 milliseconds. If you meant a minute, write "1m"; if not, write "60ms"',
    );
  });

  test.each([
    [1, "a second", "1s", "1ms"],
    [10, "10 seconds", "10s", "10ms"],
    [999, "999 seconds", "999s", "999ms"],
  ])("a period below a second as a number: %d", (period, meant, seconds, as) => {
    const warn = vi.fn();
    new RateLimiter({ login: { kind: "token bucket", rate: 5, period } }, { warn });
    expect(warn.mock.calls).toEqual([
      [
        `limit "login": period is ${period} milliseconds. If you meant ${meant}, write "${seconds}"; if not, write "${as}"`,
      ],
    ]);
  });

  test.each([1000, "10ms", "60ms"] as const)("but not a second, nor a text: %s", (period) => {
    const warn = vi.fn();
    new RateLimiter({ login: { kind: "token bucket", rate: 5, period } }, { warn });
    expect(warn).not.toHaveBeenCalled();
  });

  test("one that comes with each ask, once", () => {
    const warn = vi.fn();
    const limiter = new RateLimiter({}, { warn });
    for (const rate of [5, 6, 7]) {
      limiter.limit("login", { key: "ada", config: { kind: "token bucket", rate, period: 10 } });
    }
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test("a wait for a lease below 100 ms as a number, once", async () => {
    const warn = vi.fn();
    const reports = { kind: "concurrency", capacity: 3, ttl: "5m" } as const;
    const limiter = new RateLimiter({ reports }, { warn });
    for (const wait of [0, 100, "99ms", 99, 10] as const)
      await limiter.acquire("reports", { wait });
    expect(warn.mock.calls).toEqual([
      [
        'limit "reports": wait is 99 milliseconds. If you meant 99 seconds, write "99s"; if not, write "99ms"',
      ],
    ]);
  });

  test("one line that makes limiter after limiter, each for itself", () => {
    const warn = vi.fn();
    for (let request = 0; request < 1000; request++) new RateLimiter(LIMITS, { warn });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toMatch(/100 limiters were created at .*misuse\.test\.ts/);
  });

  test("but not where they share a store", () => {
    const warn = vi.fn();
    const store = memoryStore();
    for (let request = 0; request < 1000; request++) new RateLimiter(LIMITS, { warn, store });
    expect(warn).not.toHaveBeenCalled();
  });
});

test("throws: true turns a refusal into an error that carries the decision", () => {
  const { limiter } = fresh(LIMITS);
  limiter.limit("sendMessage", { key: "k", count: 5, throws: true });
  const error = thrown(() => limiter.check("sendMessage", { key: "k", throws: true }));
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ code: "limited", decision: { ok: false, retryAfter: 12_000 } });
  expect((error as Error).message).toBe(
    'limit "sendMessage": refused (limited): try again in 12000 ms',
  );
  expect(
    thrown(() => limiter.limitAll([{ limit: "sendMessage", key: "k" }], { throws: true })),
  ).toMatchObject({ decision: { refused: ["sendMessage"] } });
});

test("throws: true does not throw a reservation that was granted", () => {
  const { limiter } = fresh(LIMITS);
  const decision = limiter.limit("sendMessage", {
    key: "k",
    count: 9,
    reserve: true,
    throws: true,
  });
  expect(decision).toMatchObject({ ok: true, retryAfter: 48_000 });
});

describe("a limit", () => {
  test("may inherit its fields", () => {
    class Login {
      kind = "token bucket" as const;
      period = 1000;
      get rate() {
        return 10;
      }
    }
    expect(new RateLimiter({ login: new Login() }).limit("login")).toMatchObject({ remaining: 9 });
    const inherited = Object.create(LIMITS.sendMessage);
    expect(new RateLimiter({ it: inherited }).limit("it")).toMatchObject({ remaining: 4 });
  });

  test("is read once: a field that changes is checked as it is used", () => {
    let reads = 0;
    const sly = {
      kind: "token bucket" as const,
      period: 1000,
      get rate() {
        return reads++ === 0 ? 10 : 0.5;
      },
    };
    expect(new RateLimiter({ it: sly }).limit("it")).toMatchObject({ remaining: 9 });
  });

  test("that leaves open what to do without a store follows its limiter", () => {
    const limits = { it: { ...LIMITS.sendMessage, whenUnavailable: undefined as never } };
    expect(() => new RateLimiter(limits, { whenUnavailable: "open" })).not.toThrow();
  });
});
