/** Laws of leases whose time, clock or limit changes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../src/limiter/index.ts";
import type { Concurrency } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";
import { bench, events, happen, limits } from "./lease-bench.ts";

describe("what a lease holds is its own", () => {
  test("releasing it frees that, once, and renewing it prolongs that", () => {
    fc.assert(
      fc.property(limits, events, (limit, schedule) => {
        const scene = bench(limit);
        const { clock, limiter, all } = scene;
        const left = () => limiter.value("it", { key: "k" }).remaining;
        for (const event of schedule) {
          const before = left();
          const lent = "which" in event ? all[event.which % all.length] : undefined;
          // What holds nothing can't be lost, but it can be given back.
          const holdsNothing = lent?.count === 0 && lent.released === undefined;
          const wasHeld = holdsNothing || (lent !== undefined && clock() < lent.end);
          const answered = lent?.released;
          const answer = happen(scene, event);
          if (lent === undefined) continue;
          if (event.type === "release") {
            expect(left() - before).toBe(wasHeld ? lent.count : 0);
            expect(answer).toBe(answered ?? wasHeld);
          } else {
            expect(answer).toBe(wasHeld);
            expect(left()).toBe(before);
          }
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test("whatever the clock does, what is released in the end is what was in flight", () => {
    const steps = fc.record({ type: fc.constant("step"), ms: fc.integer({ min: -90, max: 90 }) });
    const ages = fc.record({ type: fc.constant("step"), ms: fc.constantFrom(-1e9, 1e9) });
    const schedules = fc.array(fc.oneof(events, fc.tuple(steps), fc.tuple(ages)));
    fc.assert(
      fc.property(limits, schedules, (limit, drawn) => {
        const scene = bench(limit);
        const { clock, limiter, all } = scene;
        const left = () => limiter.value("it", { key: "k" }).remaining;
        for (const event of drawn.flat()) {
          if (event.type === "step") clock.advance(event.ms);
          else happen(scene, event);
          expect(left()).toBeGreaterThanOrEqual(0);
          expect(limiter.check("it", { key: "k" }).resetAfter).toBeLessThanOrEqual(2 * scene.ttl);
        }
        const held = limit.capacity - left();
        const freed = all.map(({ lease, count }) => {
          const before = left();
          lease.release();
          expect([0, count]).toContain(left() - before);
          return left() - before;
        });
        expect(freed.reduce((sum, units) => sum + units, 0)).toBe(held);
        expect(left()).toBe(limit.capacity);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("law 7: time", () => {
  test("it stands still until the clock is there again, and waits stay exact", () => {
    const back = fc.double({ min: 0, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(limits, events, back, (limit, schedule, share) => {
        const scene = bench(limit);
        const { clock, limiter } = scene;
        for (const event of schedule) happen(scene, event);
        // A block is written for its instant: what was over by then is over for good.
        limiter.block("it", { key: "k", for: 1 });
        limiter.unblock("it", { key: "k" });
        const { remaining } = limiter.value("it", { key: "k" });
        clock.advance(-Math.floor(share * scene.ttl));
        expect(limiter.value("it", { key: "k" }).remaining).toBe(remaining);
        const answer = limiter.acquire("it", { key: "k" });
        if (answer.ok && remaining < limit.capacity) {
          const then = Math.max(scene.newest.at, clock());
          expect(answer.resetAfter).toBe(then + scene.ttl - clock());
        }
        const all = { key: "k", count: limit.capacity };
        const { ok, retryAfter } = limiter.acquire("it", all);
        expect(ok).toBe(false);
        expect(limiter.value("it", { key: "k" }).resetAfter).toBeGreaterThanOrEqual(retryAfter);
        clock.advance(retryAfter - 1);
        expect(limiter.check("it", all).ok).toBe(false);
        clock.advance(1);
        expect(limiter.check("it", all).ok).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("law 10: a limit that changes", () => {
  const lent = { kind: "concurrency", capacity: 5, ttl: "1m" } as const;
  const rate = { kind: "token bucket", rate: 5, period: "10s" } as const;

  function changing() {
    const clock = manualClock();
    const limiter = new RateLimiter({}, { store: memoryStore({ clock }) });
    const value = (config: Concurrency | typeof rate) => limiter.value("it", { config });
    return { clock, limiter, value };
  }

  test("has in flight for a ttl what was used of a rate", () => {
    const { clock, limiter, value } = changing();
    limiter.limit("it", { config: rate, count: 3 });
    expect(value(lent)).toMatchObject({ remaining: 2, resetAfter: 60_000 });
    clock.advance(59_999);
    expect(limiter.acquire("it", { config: lent, count: 3 })).toMatchObject({ retryAfter: 1 });
    clock.advance(1);
    expect(value(lent)).toMatchObject({ remaining: 5, resetAfter: 0 });
  });

  test("has used of a rate what is in flight", () => {
    const { limiter, value } = changing();
    const lease = limiter.acquire("it", { config: lent, count: 3 });
    expect(value(rate)).toMatchObject({ remaining: 2, resetAfter: 6000 });
    expect(lease.renew()).toBe(true);
  });

  test("forgets by a shorter ttl what is there, and by a longer one what is renewed", () => {
    const { clock, limiter, value } = changing();
    const leases = [0, 1].map(() => limiter.acquire("it", { config: lent }));
    clock.advance(30_000);
    const short = { ...lent, ttl: 20_000 };
    expect(value(short)).toMatchObject({ remaining: 3, resetAfter: 20_000 });
    expect(value({ ...lent, ttl: "1h" })).toMatchObject({ remaining: 3 });
    clock.advance(19_999);
    expect(leases[0]?.renew()).toBe(true);
    clock.advance(1);
    expect(value(short)).toMatchObject({ remaining: 4 });
    expect(value(lent)).toMatchObject({ remaining: 3 });
  });
});
