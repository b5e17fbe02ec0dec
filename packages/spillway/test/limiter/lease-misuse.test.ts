/** What a program does wrong with leases speaks, and touches no state. */
import { describe, expect, test, vi } from "vitest";
import { MINUTE, RateLimiter, SpillwayError } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";

const LIMITS = {
  reports: { kind: "concurrency", capacity: 3, ttl: "5m" },
  sendMessage: { kind: "token bucket", rate: 10, period: MINUTE },
} as const;

// A program without types.
type Untyped = { [method: string]: (...anything: unknown[]) => unknown };

/** What a call throws or rejects with. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return error;
  }
}

const wait = 1000;
/** A part of what a signal has. */
const addEventListener = () => {};
const work = () => {};

describe("misuse speaks a code", () => {
  test.each<[string, string, unknown[]]>([
    ["wrong-kind", "acquire", ["sendMessage"]],
    ["wrong-kind", "acquire", ["sendMessage", { key: "k", wait }]],
    ["wrong-kind", "run", ["sendMessage", {}, work]],
    ["wrong-kind", "limit", ["reports"]],
    ["wrong-kind", "limit", ["other", { config: LIMITS.reports }]],
    ["wrong-kind", "settle", ["reports", { reserved: 1, used: 0 }]],
    ["unknown-limit", "acquire", ["report"]],
    ["unknown-limit", "run", ["report", {}, work]],
    ["bad-key", "acquire", ["reports", { key: undefined }]],
    ["bad-count", "acquire", ["reports", { count: -1 }]],
    ["bad-count", "acquire", ["reports", { key: "k", count: "1" }]],
    ["bad-count", "acquire", ["reports", { headroom: -1 }]],
    ["bad-count", "acquire", ["reports", { key: "k", headroom: NaN }]],
    ["bad-count", "acquire", ["reports", { key: "k", headroom: null }]],
    ["bad-count", "run", ["reports", { headroom: 0.5 }, work]],
    ["bad-wait", "acquire", ["reports", { wait: -0.5 }]],
    ["bad-wait", "acquire", ["reports", { wait: -1 }]],
    ["bad-wait", "acquire", ["reports", { wait: Infinity }]],
    ["bad-wait", "acquire", ["reports", { wait: NaN }]],
    ["bad-wait", "acquire", ["reports", { wait: "soon" }]],
    ["bad-wait", "acquire", ["reports", { wait: undefined }]],
    ["bad-wait", "acquire", ["reports", { key: "k", signal: AbortSignal.abort() }]],
    ["bad-wait", "run", ["reports", { wait: 400 * 86_400_000 }, work]],
    ["bad-option", "acquire", ["reports", { wait, signal: {} }]],
    ["bad-option", "acquire", ["reports", { wait, signal: null }]],
    ["bad-option", "acquire", ["reports", { wait, signal: { aborted: false, addEventListener } }]],
    ["bad-option", "acquire", ["reports", { wait, signal: new AbortController() }]],
    ["bad-option", "acquire", ["reports", { key: "k", throws: 1 }]],
    ["bad-option", "run", ["reports", {}]],
    ["bad-option", "run", ["reports", {}]],
    ["bad-jitter", "acquire", ["reports", { key: "k", jitter: -1 }]],
    ["unknown-field", "acquire", ["reports", { reserve: true }]],
    ["unknown-field", "acquire", ["reports", { key: "k", timeout: 1000 }]],
    ["unknown-field", "run", ["reports", { key: "k", ttl: 1000 }, work]],
    ["unknown-field", "limitAll", [[{ limit: "reports", key: "k", headroom: 1 }]]],
    ["unknown-field", "check", ["reports", { key: "k", headroom: 1 }]],
    ["no-reservations", "limitAll", [[{ limit: "reports", key: "k", reserve: true }]]],
    ["bad-ttl", "acquire", ["other", { config: { kind: "concurrency", capacity: 1 } }]],
  ])("%s: %s(%j)", async (code, method, args) => {
    const store = memoryStore({ clock: manualClock() });
    const limiter = new RateLimiter(LIMITS, { store }) as unknown as Untyped;
    const error = await errorOf(() => limiter[method]?.(...args));
    expect(error).toBeInstanceOf(SpillwayError);
    expect(error).toMatchObject({ code });
    expect(store.stats().keys).toBe(0);
  });

  test.each<[string, Record<string, unknown>]>([
    ["bad-ttl", { ttl: 0 }],
    ["bad-ttl", { ttl: "5 minutes" }],
    ["bad-ttl", { ttl: "367d" }],
    ["bad-ttl", { ttl: undefined }],
    ["bad-capacity", { capacity: undefined }],
    ["bad-capacity", { capacity: 1.5 }],
    ["bad-capacity", { capacity: -1 }],
    ["bad-capacity", { capacity: 1e9 + 1 }],
    ["bad-option", { whenUnavailable: "maybe" }],
  ])("%s: a limit with %j", async (code, fields) => {
    const make = () => new RateLimiter({ reports: { ...LIMITS.reports, ...fields } } as never);
    expect(await errorOf(make)).toMatchObject({ code, limit: "reports" });
  });

  test.each([0, 1.5, NaN, Infinity, "7", null, 1e6 + 1])("maxWaiting: %s", async (maxWaiting) => {
    const make = () => new RateLimiter(LIMITS, { maxWaiting: maxWaiting as never });
    expect(await errorOf(make)).toMatchObject({ code: "bad-option", field: "maxWaiting" });
  });
});

describe("words of other libraries are understood", () => {
  test.each([
    ["period", "ttl"],
    ["timeout", "ttl"],
    ["expires", "ttl"],
    ["rate", "capacity"],
    ["limit", "capacity"],
    ["max", "capacity"],
    ["permits", "capacity"],
    ["maxConcurrent", "capacity"],
    ["capacty", "capacity"],
    ["type", "kind"],
  ])("%s for %s", (word, field) => {
    const limits = { reports: { ...LIMITS.reports, [word]: 5 } };
    expect(() => new RateLimiter(limits)).toThrow(
      `limit "reports": unknown field "${word}"; a concurrency has kind, whenUnavailable, mode, groups, ` +
        `capacity, ttl, share. Did you mean ${field}?`,
    );
  });

  test("ttl for the period of a rate", () => {
    const limits = { sendMessage: { ...LIMITS.sendMessage, ttl: 5 } };
    expect(() => new RateLimiter(limits as never)).toThrow("Did you mean period?");
  });
});

test("what is in flight is acquired, and what comes back by itself is not: both say so", () => {
  const limiter = new RateLimiter(LIMITS) as unknown as Untyped;
  expect(() => limiter.limit?.("reports")).toThrow("Use acquire or run");
  expect(() => limiter.acquire?.("sendMessage")).toThrow("Use limit");
});

test("a ttl in milliseconds that reads like seconds is warned of", () => {
  const warn = vi.fn();
  new RateLimiter({ reports: { kind: "concurrency", capacity: 3, ttl: 300 } }, { warn });
  expect(warn).toHaveBeenCalledWith(
    'limit "reports": ttl is 300 milliseconds. If you meant five minutes, write "5m"; if not, write "300ms"',
  );
});
