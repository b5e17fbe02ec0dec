/** Laws 2 and 3: waits are exact, and a rested key spends exactly its capacity. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DAY,
  type Decision,
  HOUR,
  type Limit,
  LONGEST_TIMER,
  type Plan,
  RATE_KINDS,
} from "../../src/limits/core/index.ts";
import { runs } from "../runs.ts";
import { anyLimit, bench, fitted, KINDS, limitOf, steps } from "./arbitrary.ts";

const RESERVABLE = KINDS.filter((kind) => RATE_KINDS[kind].holds);

/** Limits of which some calls reserve as far ahead as timers go. */
const slowLimitOf = (kind: (typeof RESERVABLE)[number]) =>
  fc
    .record({
      kind: fc.constant(kind),
      rate: fc.integer({ min: 1, max: 12 }),
      period: fc.integer({ min: 12 * HOUR, max: 60 * DAY }),
      capacity: fc.integer({ min: 0, max: 12 }),
      // Limits of two names have their windows at one time.
      ...(RATE_KINDS[kind].windows ? { start: fc.constant(0) } : {}),
    })
    // Starts are whole milliseconds apart, so that `lastStart` is exact.
    .map((limit) => ({
      ...limit,
      period: limit.period - (limit.period % limit.rate),
    })) as fc.Arbitrary<Limit>;

const largeSteps = fc.array(
  fc.record({
    pause: fc.double({ min: 0, max: 1.2, noNaN: true }),
    count: fc.integer({ min: 1, max: 60 }),
  }),
  { maxLength: 20, size: "max" },
);

/** When the last unit of what is reserved starts at the latest, whatever the instant of its window. */
function lastStart({ retryAfter }: Decision, { count }: { count: number }, plan: Plan): number {
  const { kind, period, rate } = plan;
  if (kind === "fixed window") return Math.ceil(retryAfter / period) * period;
  return kind === "leaky bucket" ? retryAfter + ((count - 1) * period) / rate : retryAfter;
}

describe("law 2: exact waits", () => {
  test("a refusal is admitted after retryAfter, and not a millisecond earlier", () => {
    fc.assert(
      fc.property(anyLimit, steps, (limit, asks) => {
        const { limiter, clock, plan } = bench(limit);
        for (const step of asks) {
          const { ms, ask } = fitted(step, plan);
          clock.advance(ms);
          const { ok, retryAfter } = limiter.limit("it", ask);
          if (ok || retryAfter === Infinity) continue;
          expect(retryAfter).toBeGreaterThan(0);
          expect(Number.isInteger(retryAfter)).toBe(true);
          clock.advance(retryAfter - 1);
          expect(limiter.check("it", ask).ok).toBe(false);
          clock.advance(1);
          expect(limiter.check("it", ask).ok).toBe(true);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test("Infinity means that a rested key would refuse as well", () => {
    fc.assert(
      fc.property(anyLimit, fc.integer({ min: 0, max: 50 }), fc.boolean(), (limit, count, wish) => {
        const { limiter, plan } = bench(limit);
        const reserve = wish && plan.reservable;
        limiter.limit("it", { key: "tired" });
        const tired = limiter.check("it", { key: "tired", count, reserve });
        const rested = limiter.check("it", { key: "rested", count, reserve });
        expect(tired.retryAfter === Infinity).toBe(!rested.ok);
        expect(rested.ok || rested.reason === "too large").toBe(true);
      }),
    );
  });

  test("a granted reservation starts when the debt is repaid, and not later", () => {
    fc.assert(
      fc.property(limitOf("token bucket"), fc.integer({ min: 1, max: 40 }), (limit, count) => {
        const { limiter, clock, plan } = bench(limit);
        const { ok, retryAfter } = limiter.limit("it", { count, reserve: true });
        fc.pre(ok && retryAfter > 0);
        const debtAfter = (ms: number) =>
          count * plan.period - (ms * plan.rate + plan.capacity * plan.period);
        expect(debtAfter(retryAfter)).toBeLessThanOrEqual(0);
        expect(debtAfter(retryAfter - 1)).toBeGreaterThan(0);
        clock.advance(retryAfter);
        expect(limiter.value("it").reserved).toBe(0);
      }),
    );
  });

  test.each(RESERVABLE)(
    "a %s without maxReserved is reserved from as far ahead as timers go, and no further",
    (kind) => {
      fc.assert(
        fc.property(slowLimitOf(kind), largeSteps, (limit, asks) => {
          const { limiter, clock, plan } = bench(limit);
          const config = { ...limit, maxReserved: 1200 } as Limit;
          for (const step of asks) {
            const { ms, ask } = fitted({ ...step, reserve: true }, plan);
            clock.advance(ms);
            const before = limiter.check("wide", { ...ask, config });
            const { ok, retryAfter } = limiter.limit("it", ask);
            // What the capacity has room for is no reservation.
            const isPlain = limiter.check("wide", { key: "k", count: ask.count, config }).ok;
            if (!isPlain)
              expect(ok).toBe(before.ok && lastStart(before, ask, plan) <= LONGEST_TIMER);
            if (ok) expect(limiter.limit("wide", { ...ask, config }).retryAfter).toBe(retryAfter);
            if (ok || retryAfter === Infinity) continue;
            clock.advance(retryAfter - 1);
            expect(limiter.check("it", ask).ok).toBe(false);
            clock.advance(1);
            expect(limiter.check("it", ask).ok).toBe(true);
          }
        }),
        { numRuns: runs(500) },
      );
    },
  );

  test("a blocked key is admitted after retryAfter, and not a millisecond earlier", () => {
    const blocks = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(anyLimit, blocks, fc.integer({ min: 0, max: 14 }), (limit, ms, count) => {
        const { limiter, clock, plan } = bench(limit);
        limiter.limit("it", { count: plan.capacity });
        limiter.block("it", { for: ms });
        const { retryAfter, reason } = limiter.limit("it", { count });
        expect(reason).toBe("blocked");
        fc.pre(retryAfter !== Infinity);
        clock.advance(retryAfter - 1);
        expect(limiter.check("it", { count }).ok).toBe(false);
        clock.advance(1);
        expect(limiter.check("it", { count }).ok).toBe(true);
      }),
    );
  });

  test("a joint refusal is admitted after retryAfter, and not a millisecond earlier", () => {
    fc.assert(
      fc.property(anyLimit, anyLimit, steps, (one, other, asks) => {
        const { limiter, clock, plan } = bench(one);
        for (const step of asks) {
          const { ms, ask } = fitted(step, plan);
          clock.advance(ms);
          const { count } = ask;
          const both = [
            { limit: "it" as const, key: "k", count },
            { limit: "other", config: other, key: "k", count },
            { limit: "other", config: other, key: "k" },
          ];
          const { ok, retryAfter } = limiter.limitAll(both);
          if (ok || retryAfter === Infinity) continue;
          clock.advance(retryAfter - 1);
          expect(limiter.checkAll(both).ok).toBe(false);
          clock.advance(1);
          expect(limiter.checkAll(both).ok).toBe(true);
        }
      }),
    );
  });

  test("resetAfter is when the key equals a fresh one, and not a millisecond earlier", () => {
    fc.assert(
      fc.property(anyLimit, steps, (limit, asks) => {
        const { limiter, clock, plan } = bench(limit);
        for (const step of asks) {
          const { ms, ask } = fitted(step, plan);
          clock.advance(ms);
          limiter.limit("it", ask);
        }
        const { resetAfter } = limiter.value("it", { key: "k" });
        clock.advance(Math.max(0, resetAfter - 1));
        const almost = limiter.value("it", { key: "k" });
        if (resetAfter > 0) expect(almost.resetAfter).toBe(1);
        clock.advance(1);
        expect(limiter.value("it", { key: "k" })).toEqual(limiter.value("it", { key: "fresh" }));
      }),
    );
  });
});

describe("law 3: exact bursts", () => {
  test.each(KINDS)("a rested %s spends exactly its capacity, one by one", (kind) => {
    fc.assert(
      fc.property(limitOf(kind), (limit) => {
        const { limiter, plan } = bench(limit);
        fc.pre(plan.capacity <= 200);
        for (let left = plan.capacity - 1; left >= 0; left--) {
          expect(limiter.limit("it", { key: "k" })).toMatchObject({ ok: true, remaining: left });
        }
        expect(limiter.limit("it", { key: "k" })).toMatchObject({ ok: false, remaining: 0 });
        expect(limiter.limit("it", { key: "l", count: plan.capacity }).ok).toBe(true);
        expect(limiter.check("it", { key: "m", count: plan.capacity + 1 }).ok).toBe(false);
      }),
      { numRuns: runs(300) },
    );
  });
});
