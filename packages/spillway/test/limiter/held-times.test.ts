/** The estimate beside a lease's guaranteed wait, from how long leases were held. Time is virtual. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type Decision,
  type Limits,
  MINUTE,
  RateLimitError,
  RateLimiter,
} from "../../src/index.ts";
import { HeldTimes } from "../../src/internal/index.ts";
import type { Budget } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { freshByTimers } from "../fresh.ts";
import { later } from "./later.ts";

const LIMITS = {
  reports: { kind: "concurrency", capacity: 4, ttl: 5 * MINUTE },
  exports: { kind: "concurrency", capacity: 1, ttl: MINUTE },
  search: { kind: "token bucket", rate: 1, period: MINUTE },
} as const satisfies Limits;

const key = "user 7";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const clock = () => Date.now();
const pass = (ms: number) => vi.advanceTimersByTime(ms);

type Acquires = Pick<RateLimiter<typeof LIMITS, "now">, "acquire">;

/** Holds a lease for each of the times, one after the other. */
function hold(limiter: Acquires, limit: "reports" | "exports", ...times: readonly number[]): void {
  for (const ms of times) {
    const lease = limiter.acquire(limit, { key: "someone" });
    pass(ms);
    lease.release();
  }
}

const waits = ({ ok, retryAfter, estimatedRetryAfter }: Decision) => ({
  ok,
  retryAfter,
  estimatedRetryAfter,
});

describe("the estimate of a refusal", () => {
  test("is a second while nothing is known, or less where it is surely free before", () => {
    const limiter = freshByTimers(LIMITS).limiter;
    limiter.acquire("reports", { key, count: 4 });
    const refusal = limiter.acquire("reports", { key });
    const guess = { ok: false, retryAfter: 300_000, estimatedRetryAfter: 1000 };
    expect(waits(refusal)).toEqual(guess);
    pass(299_400);
    const soon = { ok: false, retryAfter: 600, estimatedRetryAfter: 600 };
    expect(waits(limiter.acquire("reports", { key }))).toEqual(soon);
    limiter.reset("reports", { key });
    expect("estimatedRetryAfter" in limiter.check("reports", { key })).toBe(false);
  });

  test("is the time for which leases were held, divided by those in flight", () => {
    const limiter = freshByTimers(LIMITS).limiter;
    hold(limiter, "reports", 40, 60);
    limiter.acquire("reports", { key, count: 4 });
    pass(2);
    const refusal = { ok: false, retryAfter: 299_998, estimatedRetryAfter: 13 };
    expect(waits(limiter.acquire("reports", { key }))).toEqual(refusal);
    expect(waits(limiter.check("reports", { key }))).toEqual(refusal);
  });

  test.each([
    [{ count: 4 }, 4, 100],
    [{ count: 2 }, 3, 34],
    [{ count: 1, headroom: 2 }, 2, 50],
    [{ count: 0 }, 4, 25],
  ])("of %j with %i in flight is %i", (options, inFlight, estimatedRetryAfter) => {
    const limiter = freshByTimers(LIMITS).limiter;
    hold(limiter, "reports", 100);
    limiter.acquire("reports", { key, count: inFlight });
    expect(limiter.acquire("reports", { key, ...options })).toMatchObject({
      ok: false,
      estimatedRetryAfter,
    });
  });

  test("is never more than the sure bound, and never 0", () => {
    const limiter = freshByTimers(LIMITS).limiter;
    hold(limiter, "exports", 59_000);
    limiter.acquire("exports", { key });
    pass(58_000);
    expect(limiter.acquire("exports", { key })).toMatchObject({
      retryAfter: 2000,
      estimatedRetryAfter: 2000,
    });
    hold(limiter, "reports", 0);
    limiter.acquire("reports", { key, count: 4 });
    expect(limiter.acquire("reports", { key }).estimatedRetryAfter).toBe(1);
  });

  test("follows what is held lately, and does not jump with one lease", () => {
    const limiter = freshByTimers(LIMITS).limiter;
    const estimate = () => {
      const lease = limiter.acquire("exports", { key });
      const { estimatedRetryAfter } = limiter.acquire("exports", { key });
      limiter.reset("exports", { key });
      lease.release();
      return estimatedRetryAfter ?? 0;
    };
    const times = (length: number, ms: number) => Array<number>(length).fill(ms);
    hold(limiter, "exports", ...times(500, 1000));
    hold(limiter, "exports", 33_000);
    expect(estimate()).toBe(2000);
    hold(limiter, "exports", ...times(200, 50));
    expect(estimate()).toBeGreaterThanOrEqual(50);
    expect(estimate()).toBeLessThan(60);
  });

  test("is each limit's own, and not for what other reasons refuse", () => {
    const limiter = freshByTimers(LIMITS).limiter;
    hold(limiter, "reports", 50);
    limiter.acquire("exports", { key });
    expect(limiter.acquire("exports", { key }).estimatedRetryAfter).toBe(1000);
    limiter.block("reports", { key, for: "1m" });
    expect(waits(limiter.acquire("reports", { key }))).toEqual({ ok: false, retryAfter: MINUTE });
    limiter.unblock("reports", { key });
    const tooLarge = limiter.acquire("reports", { key, count: 5 });
    expect(waits(tooLarge)).toEqual({ ok: false, retryAfter: Infinity });
  });

  test("is put off by jitter as its wait is", () => {
    const limiter = new RateLimiter(LIMITS, { store: memoryStore({ clock }), random: () => 0.999 });
    hold(limiter, "exports", 50);
    limiter.acquire("exports", { key });
    const refusal = limiter.acquire("exports", { key, jitter: 100 });
    expect(waits(refusal)).toEqual({ ok: false, retryAfter: 60_100, estimatedRetryAfter: 150 });
  });

  test("is said by a lease's error, and by run", async () => {
    const limiter = freshByTimers(LIMITS).limiter;
    await limiter.run("exports", { key }, () => pass(50));
    limiter.acquire("exports", { key });
    const refused = limiter.run("exports", { key }, () => {});
    await expect(refused).rejects.toThrow(RateLimitError);
    await expect(refused).rejects.toMatchObject({
      message:
        'limit "exports": refused (limited): try again in about 50 ms, at the ' +
        "latest in 60000 ms",
      headers: { "Retry-After": "1" },
    });
  });

  test("is what a waiter is told whose time is over", async () => {
    const limiter = new RateLimiter(LIMITS, { store: later(memoryStore({ clock })) });
    const lease = await limiter.acquire("exports", { key });
    pass(50);
    await lease.release();
    await limiter.acquire("exports", { key });
    const waiting = limiter.acquire("exports", { key, wait: 20 });
    await vi.advanceTimersByTimeAsync(20);
    expect(await waiting).toMatchObject({ ok: false, estimatedRetryAfter: 50 });
  });
});

describe("several limits together", () => {
  const asks = [
    { limit: "reports", key },
    { limit: "exports", key },
  ] as const;

  test("have the longest estimate of those that refused, and each its own", () => {
    const limiter = freshByTimers(LIMITS).limiter;
    hold(limiter, "reports", 400);
    hold(limiter, "exports", 300);
    limiter.acquire("reports", { key, count: 4 });
    limiter.acquire("exports", { key });
    for (const joint of [limiter.limitAll(asks), limiter.checkAll(asks)]) {
      expect(waits(joint)).toEqual({ ok: false, retryAfter: 300_000, estimatedRetryAfter: 300 });
      expect(joint.decisions.map((one) => one.estimatedRetryAfter)).toEqual([100, 300]);
    }
  });

  test("count what is exact with its guaranteed wait", () => {
    const limiter = freshByTimers(LIMITS).limiter;
    hold(limiter, "reports", 400);
    limiter.acquire("reports", { key, count: 4 });
    limiter.limit("search", { key });
    const rate = limiter.limitAll([asks[0], { limit: "search", key }]);
    expect(waits(rate)).toEqual({ ok: false, retryAfter: 300_000, estimatedRetryAfter: MINUTE });
  });

  test("have none where only rates refuse, or nothing does", () => {
    const limiter = freshByTimers(LIMITS).limiter;
    hold(limiter, "reports", 400);
    expect(limiter.limitAll([{ limit: "search", key }]).estimatedRetryAfter).toBeUndefined();
    expect(limiter.limitAll([{ limit: "search", key }]).estimatedRetryAfter).toBeUndefined();
  });

  test("teach it as a lease does", () => {
    const limiter = freshByTimers(LIMITS).limiter;
    const { lease } = limiter.limitAll([asks[1]]);
    pass(70);
    lease?.release();
    limiter.acquire("exports", { key });
    expect(limiter.acquire("exports", { key }).estimatedRetryAfter).toBe(70);
  });
});

test("what is learnt in a transaction and outside of it is one", async () => {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(":memory:");
  const limiter = new RateLimiter(LIMITS, { store: sqliteStore(db, { clock }) });
  db.exec("begin immediate");
  const lease = limiter.within(db).acquire("exports", { key });
  db.exec("commit");
  pass(80);
  lease.release();
  limiter.acquire("exports", { key });
  db.exec("begin immediate");
  const refusal = limiter.within(db).acquire("exports", { key });
  db.exec("rollback");
  expect(refusal.estimatedRetryAfter).toBe(80);
});

test("means are kept of a thousand limits, and the oldest is forgotten first", () => {
  const times = new HeldTimes();
  const noteMany = (from: number, to: number) => {
    for (let n = from; n < to; n++) times.note({ plan: { limit: `${n}` } } as Budget, 50);
  };
  const knows = (limit: string) => {
    const plan = { limit, family: { name: "leases" } };
    const refusal = { ok: false, reason: "limited", capacity: 1, remaining: 0, retryAfter: 100 };
    const ask = { plan, count: 1 } as never;
    // 50 ms is what was noted; what is not known is a second, here less.
    return times.estimate(ask, refusal as Decision).estimatedRetryAfter === 50;
  };
  noteMany(0, 1000);
  expect([knows("0"), knows("999")]).toEqual([true, true]);
  noteMany(1000, 1001);
  expect([knows("0"), knows("1"), knows("1000")]).toEqual([false, true, true]);
});
