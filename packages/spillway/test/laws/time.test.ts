/** Laws 7 and 10: clocks that jump, and limits that change while they run. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Limit, RateLimiter } from "../../src/index.ts";
import { planFor } from "../../src/limits/algorithms/index.ts";
import type { Plan } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";
import { anyLimit, bench, fitted, KINDS, limitOf, steps } from "./arbitrary.ts";

describe("law 7: time", () => {
  test("a clock that steps back mints nothing", () => {
    fc.assert(
      fc.property(
        anyLimit,
        steps,
        fc.double({ min: 0, max: 5, noNaN: true }),
        (limit, asks, back) => {
          const { limiter, clock, plan } = bench(limit);
          for (const step of asks) {
            const { ms, ask } = fitted(step, plan);
            clock.advance(ms);
            limiter.limit("it", ask);
          }
          const before = limiter.value("it", { key: "k" }).remaining;
          clock.advance(-Math.floor(back * plan.period));
          expect(limiter.value("it", { key: "k" }).remaining).toBeLessThanOrEqual(before);
        },
      ),
    );
  });

  test("time stands still until the clock is there again, and waits stay exact", () => {
    const back = fc.double({ min: 0, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(anyLimit, steps, back, (limit, asks, share) => {
        const { limiter, clock, plan } = bench(limit);
        for (const step of asks) {
          const { ms, ask } = fitted(step, plan);
          clock.advance(ms);
          limiter.limit("it", ask);
        }
        limiter.limit("it", { key: "k" });
        const before = limiter.value("it", { key: "k" });
        clock.advance(-Math.floor(share * plan.period));
        const after = limiter.value("it", { key: "k" });
        if (plan.windowAlignment === 1) expect(after.remaining).toBe(before.remaining);
        const refused = limiter.limit("it", { key: "k", count: plan.capacity });
        if (refused.ok || refused.retryAfter === Infinity) return;
        clock.advance(refused.retryAfter - 1);
        expect(limiter.check("it", { key: "k", count: plan.capacity }).ok).toBe(false);
        clock.advance(1);
        expect(limiter.check("it", { key: "k", count: plan.capacity }).ok).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  test("a block does not last longer for a clock that went back", () => {
    const { limiter, clock } = bench({ kind: "token bucket", rate: 5, period: "1m" });
    limiter.limit("it");
    limiter.block("it", { for: "1h" });
    clock.advance(-1_000_000_000);
    expect(limiter.limit("it")).toMatchObject({ reason: "blocked", retryAfter: 3_600_000 });
    clock.advance(3_600_000);
    expect(limiter.limit("it").ok).toBe(true);
  });

  test("a clock that trembles mints nothing", () => {
    fc.assert(
      fc.property(
        anyLimit,
        fc.array(fc.double({ min: 0, max: 0.99, noNaN: true }), { maxLength: 80, size: "max" }),
        (drawn, offsets) => {
          const { plan } = bench(drawn);
          const limit = plan.windowAlignment > 1 ? { start: 0, ...drawn } : drawn;
          const { limiter, clock } = bench(limit);
          const start = clock();
          const until = start + Math.floor(plan.period * 0.99);
          let taken = 0;
          for (const offset of offsets) {
            clock.set(start + Math.floor(offset * plan.period));
            if (limiter.limit("it").ok) taken++;
          }
          // One window may end in that time, or some units drip back; what trembles adds nothing.
          const back = BigInt(until - start) * BigInt(plan.rate);
          const dripped = plan.windowAlignment > 1 ? BigInt(plan.rate) : back / BigInt(plan.period);
          expect(BigInt(taken) <= BigInt(plan.capacity) + dripped).toBe(true);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test.each(["fixed window", "sliding window"] as const)(
    "a %s keeps its windows where they were",
    (kind) => {
      fc.assert(
        fc.property(limitOf(kind), fc.integer({ min: 0, max: 10 ** 12 }), (drawn, back) => {
          const { limiter, clock, plan } = bench({ ...drawn, start: 0 } as Limit);
          limiter.limit("it");
          clock.advance(-back);
          limiter.limit("it", { count: 0 });
          const { resetAfter } = limiter.value("it");
          expect((clock() + resetAfter) % plan.period).toBe(0);
        }),
      );
    },
  );

  test.each(KINDS)("a %s locks nobody out for more than a period because of the clock", (kind) => {
    fc.assert(
      fc.property(limitOf(kind), fc.integer({ min: 0, max: 10 ** 12 }), (limit, back) => {
        const { limiter, clock, plan } = bench(limit);
        limiter.limit("it", { count: plan.capacity });
        clock.advance(-back);
        expect(limiter.limit("it").retryAfter).toBeLessThanOrEqual(longest(plan) + plan.period);
      }),
    );
  });
});

describe("law 10: a limit may change while it runs", () => {
  const both = fc.constantFrom(...KINDS).chain((kind) => fc.tuple(limitOf(kind), limitOf(kind)));
  const differing = fc.tuple(anyLimit, anyLimit);

  const change = (from: Limit, to: Limit) => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    const limiterOf = (it: Limit) => new RateLimiter({ it }, { store, warn: () => {} });
    return { clock, before: limiterOf(from), after: limiterOf(to), to: planFor("it", to) };
  };

  test("what was used stays used: no free refill", () => {
    fc.assert(
      fc.property(fc.oneof(both, differing), steps, ([from, to], asks) => {
        const { clock, before, after } = change(from, to);
        const plan = planFor("it", from);
        for (const step of asks) {
          const { ms, ask } = fitted(step, plan);
          clock.advance(ms);
          before.limit("it", ask);
        }
        const { capacity, remaining } = before.value("it", { key: "k" });
        const next = after.value("it", { key: "k" });
        expect(next.remaining).toBeLessThanOrEqual(
          Math.max(0, next.capacity - (capacity - remaining)),
        );
      }),
      { numRuns: runs(300) },
    );
  });

  test("nor while the clock is behind", () => {
    const buckets = fc.tuple(limitOf("token bucket"), limitOf("token bucket"));
    fc.assert(
      fc.property(buckets, fc.double({ min: 0, max: 0.99, noNaN: true }), ([from, to], share) => {
        const { clock, before, after, to: plan } = change(from, to);
        const { period, capacity } = planFor("it", from);
        before.limit("it", { count: capacity });
        const back = Math.min(Math.floor(share * period), plan.period - 1);
        clock.advance(-back);
        const { remaining } = after.value("it");
        clock.advance(back);
        expect(after.value("it").remaining).toBe(remaining);
      }),
      { numRuns: runs(300) },
    );
  });

  test("nobody waits longer than the new limit could make them wait", () => {
    fc.assert(
      fc.property(fc.oneof(both, differing), ([from, to]) => {
        const { before, after, to: plan } = change(from, to);
        before.limit("it", { count: planFor("it", from).capacity });
        fc.pre(plan.capacity > 0);
        const { ok, retryAfter } = after.limit("it");
        if (!ok) expect(retryAfter).toBeLessThanOrEqual(longest(plan));
      }),
      { numRuns: runs(300) },
    );
  });

  test("limits that take turns on one key refill as well as one alone", () => {
    const slow: Limit = { kind: "token bucket", rate: 10, period: "1h" };
    const { clock, before, after } = change(slow, { ...slow, capacity: 12 });
    before.limit("it", { count: 10 });
    for (let second = 0; second < 3600; second++) {
      clock.advance(1000);
      (second % 2 === 0 ? after : before).check("it");
    }
    expect(before.value("it").remaining).toBe(10);
  });
});

/** The longest wait for one unit from a key without debt. */
function longest({ kind, period }: Plan): number {
  return kind === "sliding window" ? 2 * period : period;
}
