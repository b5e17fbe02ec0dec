/** What was seen to go wrong in other limiters, as far as it can happen within one process. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { DAY, HOUR, type Limit, MINUTE, RateLimiter, SECOND } from "../src/index.ts";
import { memoryStore } from "../src/stores/memory/index.ts";
import { manualClock } from "../src/testing/index.ts";

function limiterOf(it: Limit, maxKeys = 1000) {
  const clock = manualClock();
  const store = memoryStore({ clock, maxKeys, warn: () => {} });
  return { clock, store, limiter: new RateLimiter({ it }, { store, warn: () => {} }) };
}

const perMinute = (rate: number): Limit => ({ kind: "token bucket", rate, period: MINUTE });

afterEach(() => vi.useRealTimers());

describe("numbers", () => {
  test("half a second is half a second", () => {
    const { limiter, clock } = limiterOf({ kind: "fixed window", rate: 1, period: 500, start: 0 });
    expect(limiter.limit("it").ok).toBe(true);
    expect(limiter.limit("it")).toMatchObject({ ok: false, retryAfter: 500 });
    clock.advance(500);
    expect(limiter.limit("it").ok).toBe(true);
  });

  test("thirty days are thirty days", () => {
    const { limiter, clock } = limiterOf({
      kind: "fixed window",
      rate: 1,
      period: "30d",
      start: 0,
    });
    const { resetAfter } = limiter.limit("it");
    clock.advance(resetAfter - 1);
    expect(limiter.limit("it").ok).toBe(false);
    clock.advance(1);
    expect(limiter.limit("it").ok).toBe(true);
  });

  test("a million a second is a million a second", () => {
    const { limiter, clock } = limiterOf({
      kind: "token bucket",
      rate: 1_000_000,
      period: SECOND,
      capacity: 1000,
    });
    limiter.limit("it", { count: 1000 });
    expect(limiter.limit("it").retryAfter).toBe(1);
    clock.advance(1);
    expect(limiter.limit("it", { count: 1000 }).ok).toBe(true);
  });

  test("a bucket drips unit by unit, not interval by interval", () => {
    const { limiter, clock } = limiterOf({ kind: "token bucket", rate: 5, period: 10 * SECOND });
    limiter.limit("it", { count: 5 });
    clock.advance(2 * SECOND);
    expect(limiter.limit("it").ok).toBe(true);
  });

  test("the wait for many units is the wait for all of them", () => {
    const { limiter } = limiterOf({
      kind: "token bucket",
      rate: 1,
      period: 10 * SECOND,
      capacity: 5,
    });
    limiter.limit("it", { count: 5 });
    expect(limiter.limit("it", { count: 5 }).retryAfter).toBe(50 * SECOND);
  });

  test("maxReserved of 0 means none", () => {
    const { limiter } = limiterOf({
      kind: "token bucket",
      rate: 1,
      period: SECOND,
      maxReserved: 0,
    });
    limiter.limit("it");
    expect(limiter.limit("it", { reserve: true }).ok).toBe(false);
  });

  test("a window that starts in the future serves the present", () => {
    const start = Date.UTC(2090, 0, 1);
    const { limiter } = limiterOf({ kind: "fixed window", rate: 3, period: HOUR, start });
    expect(limiter.limit("it")).toMatchObject({ ok: true, remaining: 2 });
  });

  test("ten a second are never nineteen in a second", () => {
    const { limiter, clock } = limiterOf({
      kind: "leaky bucket",
      rate: 10,
      period: SECOND,
      capacity: 1000,
    });
    const starts: number[] = [];
    for (let i = 0; i < 500; i++) {
      clock.advance(i % 40);
      const { ok, retryAfter } = limiter.limit("it");
      if (ok) starts.push(clock() + retryAfter);
    }
    const within = (from: number) => starts.filter((at) => at >= from && at < from + SECOND).length;
    expect(Math.max(...starts.map(within))).toBe(10);
  });
});

describe("who pays for a refusal", () => {
  test("an ask of 100 that is refused leaves what was left", () => {
    const { limiter } = limiterOf({ kind: "fixed window", rate: 10, period: MINUTE, start: 0 });
    limiter.limit("it");
    expect(limiter.limit("it", { count: 100 }).ok).toBe(false);
    expect(limiter.limit("it", { count: 9 }).ok).toBe(true);
  });

  test("a weighted ask that does not fit a sliding window is not charged", () => {
    const { limiter } = limiterOf({ kind: "sliding window", rate: 10, period: MINUTE, start: 0 });
    limiter.limit("it", { count: 9 });
    expect(limiter.limit("it", { count: 5 }).ok).toBe(false);
    expect(limiter.limit("it").ok).toBe(true);
  });

  test("of two asks at once against a limit of one, one is admitted", () => {
    const { limiter } = limiterOf(perMinute(1));
    const answers = [limiter.limit("it", { key: "k" }), limiter.limit("it", { key: "k" })];
    expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
  });

  test("looking before reporting cannot overshoot: nothing left is not a pass", () => {
    const { limiter } = limiterOf(perMinute(3));
    limiter.limit("it", { key: "k", count: 3 });
    expect(limiter.check("it", { key: "k", count: 0 }).ok).toBe(false);
  });
});

describe("keys and memory", () => {
  test("a reset of * resets only *", () => {
    const { limiter } = limiterOf(perMinute(1));
    for (const key of ["*", "alice", "?", "[a-z]*"]) limiter.limit("it", { key });
    limiter.reset("it", { key: "*" });
    expect(limiter.limit("it", { key: "*" }).ok).toBe(true);
    expect(limiter.limit("it", { key: "alice" }).ok).toBe(false);
  });

  test("foo with bar_baz is not foo_bar with baz", () => {
    const config = perMinute(1);
    const { limiter } = limiterOf(config);
    expect(limiter.limit("foo", { key: "bar_baz", config }).ok).toBe(true);
    expect(limiter.limit("foo_bar", { key: "baz", config }).ok).toBe(true);
    const joint = [
      { limit: "foo", key: "x", config },
      { limit: "foo=x", config },
    ];
    expect(limiter.limitAll(joint).ok).toBe(true);
  });

  test("no key has a timer", () => {
    vi.useFakeTimers();
    const { limiter } = limiterOf({ kind: "fixed window", rate: 1, period: "30d" });
    for (let i = 0; i < 1000; i++) limiter.limit("it", { key: `${i}` });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a million fresh keys leave no more than the store may hold", () => {
    const { limiter, store, clock } = limiterOf(
      { kind: "token bucket", rate: 5, period: DAY },
      2000,
    );
    for (let i = 0; i < 1_000_000; i++) {
      if (i % 1000 === 0) clock.advance(1);
      limiter.limit("it", { key: `key ${i}` });
    }
    expect(store.stats().keys).toBeLessThanOrEqual(2000);
  });
});

describe("reservations", () => {
  test("one that is granted does not throw", () => {
    const { limiter } = limiterOf(perMinute(1));
    limiter.limit("it");
    expect(limiter.limit("it", { reserve: true, throws: true }).retryAfter).toBe(MINUTE);
  });

  test("big ones are not starved by small ones", () => {
    const { limiter } = limiterOf(perMinute(10));
    limiter.limit("it", { count: 10 });
    expect(limiter.limit("it", { count: 10, reserve: true }).retryAfter).toBe(MINUTE);
    expect(limiter.limit("it").retryAfter).toBe(MINUTE + 6 * SECOND);
  });
});
