/**
 * Law 7 under any steps of the clock, small and large, back and ahead, again and again. Only what it goes
 * on by is time: a step back never brings back a unit, nor ends a block.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Kind, Limit, Plan } from "../../src/limits/core/index.ts";
import { runs } from "../runs.ts";
import { bench, limitOf } from "./arbitrary.ts";

const KINDS = [
  "token bucket",
  "fixed window",
  "sliding window",
  "sliding log",
  "leaky bucket",
  "concurrency",
] as const satisfies readonly Kind[];

function anyOf(kind: Kind): fc.Arbitrary<Limit> {
  if (kind !== "concurrency") return limitOf(kind);
  const capacity = fc.integer({ min: 1, max: 12 });
  return fc.record({ kind: fc.constant(kind), capacity, ttl: fc.integer({ min: 1, max: 5000 }) });
}

/** A step of the clock, or an ask. Steps are shares of a period, and now and then a millisecond. */
type Event = { readonly step: number; readonly and: number } | { readonly count: number };

const shares = fc.oneof(
  fc.constantFrom(0, 1, -1, 2, -2),
  fc.double({ min: -4, max: 2, noNaN: true }),
);
const events = fc.array(
  fc.oneof<fc.Arbitrary<Event>[]>(
    fc.record({ step: shares, and: fc.integer({ min: -1, max: 1 }) }),
    fc.record({ count: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 14 })) }),
  ),
  { maxLength: 60, size: "max" },
);

type Bench = ReturnType<typeof bench>;
const key = "k";

/** Takes what is asked, and answers how many units were taken. */
function take({ limiter, plan }: Bench, count: number): number {
  const named = limiter as unknown as { [method: string]: (...args: unknown[]) => { ok: boolean } };
  const method = plan.kind === "concurrency" ? "acquire" : "limit";
  return named[method]?.("it", { key, count })?.ok ? count : 0;
}

/** The milliseconds of a step. */
function msOf({ step, and }: Extract<Event, { step: number }>, { period }: Plan): number {
  return Math.floor(step * period) + and;
}

/** The most that can be taken while the clock goes on by so many milliseconds in all. */
function mostIn({ kind, capacity, rate, period }: Plan, ms: number): bigint {
  const [full, units, span] = [BigInt(capacity), BigInt(rate), BigInt(period)];
  if (kind === "token bucket" || kind === "leaky bucket") return full + (units * BigInt(ms)) / span;
  const windows = BigInt(ms) / span + 1n;
  // A fixed window may end in the next millisecond; what fades, fades slower than a bucket fills.
  if (kind === "fixed window") return full + units * windows;
  return kind === "sliding window" ? full + (units * BigInt(ms)) / span : full * windows;
}

/** The longest wait for a unit of a key that owes nothing, if the clock has not gone back. */
function longest({ kind, period }: Plan): number {
  return kind === "sliding window" ? 2 * period : period;
}

describe.each(KINDS)("a %s, whatever the clock does,", (kind) => {
  test("admits no more than the time for which it went on lets it", () => {
    fc.assert(
      fc.property(anyOf(kind), events, (limit, schedule) => {
        const it = bench(limit);
        let [taken, gone] = [0, 0];
        for (const event of schedule) {
          if ("count" in event) {
            taken += take(it, event.count);
            expect(BigInt(taken) <= mostIn(it.plan, gone)).toBe(true);
            continue;
          }
          const ms = msOf(event, it.plan);
          const { remaining } = it.limiter.value("it", { key });
          it.clock.advance(ms);
          gone += Math.max(0, ms);
          const after = it.limiter.value("it", { key }).remaining;
          if (ms <= 0) expect(after).toBeLessThanOrEqual(remaining);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test("locks nobody out for more than a period because of it, and its waits are exact", () => {
    fc.assert(
      fc.property(anyOf(kind), events, (limit, schedule) => {
        const it = bench(limit);
        for (const event of schedule) {
          if ("count" in event) take(it, event.count);
          else it.clock.advance(msOf(event, it.plan));
          const answer = it.limiter.check("it", { key });
          if (answer.ok) continue;
          expect(answer.retryAfter).toBeLessThanOrEqual(longest(it.plan) + it.plan.period);
        }
        const { ok, retryAfter } = it.limiter.check("it", { key });
        if (ok) return;
        it.clock.advance(retryAfter - 1);
        expect(it.limiter.check("it", { key }).ok).toBe(false);
        it.clock.advance(1);
        expect(it.limiter.check("it", { key }).ok).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });

  test("blocks for as long as was said, and for little longer", () => {
    const lengths = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 1e7 }));
    fc.assert(
      fc.property(anyOf(kind), events, lengths, events, (limit, before, length, after) => {
        const it = bench(limit);
        for (const event of before) {
          if ("count" in event) take(it, event.count);
          else it.clock.advance(msOf(event, it.plan));
        }
        it.limiter.block("it", { key, for: length });
        const most = length + mostLonger(it.plan);
        let gone = 0;
        for (const event of after) {
          if ("count" in event) continue;
          const ms = msOf(event, it.plan);
          it.clock.advance(ms);
          gone += Math.max(0, ms);
          const { blockedFor } = it.limiter.value("it", { key });
          expect(blockedFor).toBeLessThan(most);
          if (gone < length) expect(blockedFor).toBeGreaterThan(0);
          // Once it is over, it is: a clock that goes back a little may show it again.
          else break;
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

/** By what a clock that went back can prolong a block: instants of windows and leases are coarser. */
function mostLonger({ kind, period }: Plan): number {
  return kind.endsWith("window") || kind === "concurrency" ? 2 * period : period;
}

test("the window before weighs no less for a clock that goes back by a period", () => {
  const { limiter, clock } = bench({ kind: "sliding window", rate: 16, period: 1000, start: 0 });
  clock.set(10_000_999);
  limiter.limit("it", { count: 15 });
  clock.set(10_001_100);
  limiter.limit("it");
  clock.set(9_999_900);
  expect(limiter.limit("it", { count: 0 })).toMatchObject({ ok: false, remaining: 0 });
});

test.each(KINDS.filter((kind) => kind !== "concurrency"))(
  "a %s that has nothing left to bring back does not wait for the clock",
  (kind) => {
    const back = fc.integer({ min: 0, max: 999 });
    fc.assert(
      fc.property(back, fc.integer({ min: 0, max: 2000 }), (ms, start) => {
        const windowed = kind.endsWith("window") ? { start } : {};
        const it = bench({ kind, rate: 5, period: 1000, ...windowed } as Limit);
        it.limiter.settle("it", { key, reserved: 0, used: 3 });
        it.limiter.settle("it", { key, reserved: 0, used: 0 });
        it.clock.advance(3000);
        it.limiter.settle("it", { key, reserved: 0, used: 0 });
        it.clock.advance(-ms);
        expect(it.limiter.limit("it", { key })).toEqual(it.limiter.limit("it", { key: "fresh" }));
      }),
    );
  },
);

test("no window ends twice for a clock that goes back to just before its end", () => {
  const { limiter, clock } = bench({ kind: "fixed window", rate: 5, period: 1000, start: 0 });
  clock.set(10_000_000);
  limiter.limit("it", { count: 5 });
  clock.set(9_998_999);
  clock.advance(1);
  expect(limiter.limit("it").ok).toBe(false);
});
