/** Settling: up and down, never past the capacity, never counted twice. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { anyLimit, bench, fitted, KINDS, limitOf, steps } from "./arbitrary.ts";

const units = fc.integer({ min: 0, max: 20 });

describe("settling", () => {
  test.each(KINDS)("a %s settled at once is as if the true number had been asked for", (kind) => {
    fc.assert(
      fc.property(limitOf(kind), units, units, (limit, reserved, used) => {
        const { limiter } = bench(limit);
        fc.pre(limiter.limit("it", { key: "k", count: reserved }).ok);
        fc.pre(limiter.check("it", { key: "fresh", count: used }).ok);
        const { remaining } = limiter.settle("it", { key: "k", reserved, used });
        const charged = kind === "leaky bucket" ? Math.max(reserved, used) : used;
        const { capacity } = limiter.value("it");
        expect(remaining).toBe(capacity - charged);
      }),
    );
  });

  test("however late, twice or wrongly, a settlement never lifts a key above its capacity", () => {
    fc.assert(
      fc.property(anyLimit, steps, units, units, (limit, asks, reserved, used) => {
        const { limiter, clock, plan } = bench(limit);
        for (const step of asks) {
          const { ms, ask } = fitted(step, plan);
          clock.advance(ms);
          limiter.limit("it", ask);
          const before = limiter.value("it", { key: "k" });
          const after = limiter.settle("it", { key: "k", reserved, used });
          expect(after.remaining).toBeLessThanOrEqual(plan.capacity);
          const back = Math.max(0, reserved - used);
          const balance = ({ remaining, reserved: debt }: typeof after) => remaining - debt;
          expect(balance(after)).toBeLessThanOrEqual(balance(before) + back);
        }
      }),
    );
  });

  test("a key never gets back more than it took", () => {
    fc.assert(
      fc.property(anyLimit, fc.array(units), (limit, counts) => {
        const { limiter, plan } = bench(limit);
        let taken = 0;
        for (const count of counts) {
          if (limiter.limit("it", { key: "k", count }).ok) taken += count;
        }
        for (let i = 0; i < 3; i++) {
          for (const reserved of counts)
            limiter.settle("it", { key: "k", reserved, used: reserved });
        }
        limiter.settle("it", { key: "k", reserved: 1000, used: 0 });
        expect(limiter.value("it", { key: "k" }).remaining).toBe(plan.capacity - taken);
      }),
    );
  });

  test.each(KINDS)("what a %s has had back by itself is not given back once more", (kind) => {
    const some = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(limitOf(kind), some, some, (limit, first, second) => {
        const { limiter, clock, plan } = bench(limit);
        fc.pre(limiter.limit("it", { key: "k", count: first }).ok);
        clock.advance(limiter.value("it", { key: "k" }).resetAfter);
        fc.pre(limiter.limit("it", { key: "k", count: second }).ok);
        limiter.settle("it", { key: "k", reserved: first + second, used: 0 });
        const { remaining, resetAfter } = limiter.value("it", { key: "k" });
        expect(remaining).toBe(kind === "leaky bucket" ? plan.capacity - second : plan.capacity);
        clock.advance(resetAfter);
        expect(limiter.value("it", { key: "k" }).remaining).toBe(plan.capacity);
        const all = limiter.limit("it", { key: "k", count: plan.capacity });
        expect(all).toMatchObject({ ok: true, remaining: 0 });
      }),
    );
  });

  test("a settlement that comes twice gives nothing back twice, though another limiter looked on", () => {
    const limit = { kind: "token bucket", rate: 10, period: "1h" } as const;
    const store = memoryStore({ clock: manualClock() });
    const [one, other] = [
      new RateLimiter({ it: limit }, { store }),
      new RateLimiter({ it: { ...limit } }, { store }),
    ];
    one.limit("it", { count: 8 });
    one.settle("it", { reserved: 8, used: 5 });
    other.check("it");
    expect(one.settle("it", { reserved: 8, used: 5 }).remaining).toBe(5);
  });

  test("nor though the limit has changed", () => {
    const store = memoryStore({ clock: manualClock() });
    const limiterOf = (capacity: number) =>
      new RateLimiter(
        { it: { kind: "token bucket", rate: 10, period: "1h", capacity } },
        { store },
      );
    limiterOf(10).limit("it", { count: 8 });
    limiterOf(10).settle("it", { reserved: 8, used: 5 });
    expect(limiterOf(12).settle("it", { reserved: 8, used: 5 }).remaining).toBe(7);
  });

  test("units that a window has brought back are not given back once more", () => {
    const { limiter, clock } = bench({ kind: "fixed window", rate: 10, period: 1000, start: 0 });
    limiter.limit("it", { count: 8 });
    clock.advance(1000);
    limiter.limit("it", { count: 3 });
    limiter.settle("it", { reserved: 8, used: 0 });
    expect(limiter.value("it").remaining).toBe(10);
    clock.advance(1000);
    limiter.settle("it", { reserved: 8, used: 0 });
    expect(limiter.value("it").remaining).toBe(10);
  });

  test("starts that a leaky bucket promised never coincide, whatever is settled", () => {
    const limit = { kind: "leaky bucket", rate: 2, period: 1000, capacity: 50 } as const;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }), (counts) => {
        const { limiter, clock } = bench(limit);
        const starts = new Set<number>();
        for (const count of counts) {
          const { ok, retryAfter } = limiter.limit("it", { count });
          if (!ok) continue;
          expect(starts).not.toContain(clock() + retryAfter);
          starts.add(clock() + retryAfter);
          limiter.settle("it", { reserved: count, used: 0 });
        }
      }),
    );
  });
});
