/** The laws for what is in flight. Counted here from the starts and ends of leases alone. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Concurrency, LONGEST, MOST_UNITS } from "../../src/core/index.ts";
import { type Lease, RateLimiter } from "../../src/limiter/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";

const limits: fc.Arbitrary<Concurrency> = fc.record({
  kind: fc.constant("concurrency" as const),
  capacity: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 6 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: MOST_UNITS }) },
  ),
  ttl: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 50 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: LONGEST }) },
  ),
});

const counts = fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 7 }));

/** What happens next: pauses are shares of the ttl, and a lease is one of those that were lent. */
type Event =
  | { readonly type: "acquire"; readonly count: number; readonly headroom: number }
  | { readonly type: "release" | "renew"; readonly which: number }
  | { readonly type: "pause"; readonly share: number };

const events = fc.array(
  fc.oneof<fc.Arbitrary<Event>[]>(
    fc.record({
      type: fc.constant("acquire"),
      count: counts,
      headroom: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 })),
    }),
    fc.record({ type: fc.constantFrom("release", "renew"), which: fc.nat() }),
    fc.record({
      type: fc.constant("pause"),
      share: fc.oneof(fc.constantFrom(1, 0.5), fc.double({ min: 0, max: 1.2, noNaN: true })),
    }),
  ),
  { maxLength: 60, size: "max" },
);

/** A lease as its holder knows it: from an instant to another one, later if it is renewed. */
type Lent = {
  readonly lease: Lease<"now">;
  readonly count: number;
  readonly start: number;
  end: number;
  /** What releasing it has answered. */
  released: boolean | undefined;
};

function bench(limit: Concurrency) {
  const clock = manualClock();
  const limiter = new RateLimiter({ it: limit }, { store: memoryStore({ clock }), warn() {} });
  const newest = { at: clock() };
  return { clock, limiter, ttl: limit.ttl as number, all: [] as Lent[], newest };
}

type Bench = ReturnType<typeof bench>;

/** Units in flight at an instant: from a lease's start until before its end. */
function inFlight(all: readonly Lent[], at: number): number {
  const those = all.filter(({ start, end }) => start <= at && at < end);
  return those.reduce((units, { count }) => units + count, 0);
}

/** Carries an event out; what it was told is for the laws to judge. */
function happen({ clock, limiter, ttl, all, newest }: Bench, event: Event, key = "k") {
  if (event.type === "pause") return void clock.advance(Math.floor(event.share * ttl));
  if (event.type === "acquire") {
    const { count, headroom } = event;
    const lease = limiter.acquire("it", { key, count, headroom });
    const end = clock() + (count === 0 ? 0 : ttl);
    if (lease.ok && count > 0) newest.at = clock();
    if (lease.ok) all.push({ lease, count, start: clock(), end, released: undefined });
    return lease;
  }
  const lent = all[event.which % all.length];
  if (lent === undefined) return undefined;
  const done = lent.lease[event.type]();
  if (done && lent.count > 0 && event.type === "renew") {
    lent.end = clock() + ttl;
    newest.at = clock();
  }
  if (done && event.type === "release") lent.end = Math.min(lent.end, clock());
  if (event.type === "release") lent.released ??= done;
  return done;
}

describe("law 1: bound", () => {
  test("at no instant is more in flight than the capacity", () => {
    fc.assert(
      fc.property(limits, events, (limit, schedule) => {
        const scene = bench(limit);
        for (const event of schedule) {
          happen(scene, event);
          const { clock, limiter, all } = scene;
          const units = inFlight(all, clock());
          expect(units).toBeLessThanOrEqual(limit.capacity);
          // And nobody who asks hears of less room, or of more.
          expect(limiter.value("it", { key: "k" }).remaining).toBe(limit.capacity - units);
        }
        // Once more over the whole time, for what was in flight together between two events.
        for (const { start, end } of scene.all)
          for (const at of [start, end - 1])
            expect(inFlight(scene.all, at)).toBeLessThanOrEqual(limit.capacity);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("an ask is admitted where there is room for it, with what it has to leave", () => {
    fc.assert(
      fc.property(limits, events, (limit, schedule) => {
        const scene = bench(limit);
        for (const event of schedule) {
          const before = inFlight(scene.all, scene.clock());
          const answer = happen(scene, event);
          if (event.type !== "acquire") continue;
          const needed = Math.max(1, event.count) + event.headroom;
          const { remaining, resetAfter } = scene.limiter.value("it", { key: "k" });
          expect(answer).toMatchObject({
            ok: before + needed <= limit.capacity,
            remaining: limit.capacity - inFlight(scene.all, scene.clock()),
          });
          expect(answer).toMatchObject({ remaining, resetAfter });
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("law 2: exact waits", () => {
  test("a refusal is admitted after retryAfter, and not a millisecond earlier", () => {
    fc.assert(
      fc.property(limits, events, (limit, schedule) => {
        const scene = bench(limit);
        const { clock, limiter } = scene;
        for (const event of schedule) {
          const answer = happen(scene, event);
          if (event.type !== "acquire") continue;
          const { ok, retryAfter, reason } = answer as Lease<"now">;
          if (ok) continue;
          const { count, headroom } = event;
          const rested = limiter.acquire("it", { key: "rested", count, headroom });
          expect(reason === "too large").toBe(!rested.ok);
          expect(retryAfter === Infinity).toBe(!rested.ok);
          rested.release();
          if (retryAfter === Infinity) continue;
          expect(retryAfter).toBeGreaterThan(0);
          clock.advance(retryAfter - 1);
          // A refusal changes nothing, so that it may be tried.
          expect(limiter.acquire("it", { key: "k", count, headroom }).ok).toBe(false);
          clock.advance(1);
          expect(happen(scene, event)).toMatchObject({ ok: true });
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test("a key is fully reset after resetAfter, and while it is not it says so", () => {
    fc.assert(
      fc.property(limits, events, (limit, schedule) => {
        const scene = bench(limit);
        const { clock, limiter } = scene;
        for (const event of schedule) happen(scene, event);
        const { resetAfter } = limiter.value("it", { key: "k" });
        // What is left of the last lease, or of one released after it; never more than a ttl.
        const last = Math.max(0, ...scene.all.map(({ end }) => end - clock()));
        expect(resetAfter).toBeGreaterThanOrEqual(last);
        expect(resetAfter).toBeLessThanOrEqual(last === 0 ? 0 : scene.ttl);
        clock.advance(resetAfter);
        expect(limiter.value("it", { key: "k" })).toEqual(limiter.value("it", { key: "fresh" }));
      }),
      { numRuns: runs(500) },
    );
  });
});

/** What an event was answered, without an estimate: it follows how long leases were really held. */
function said(answer: ReturnType<typeof happen>) {
  return typeof answer === "object" ? { ...answer, estimatedRetryAfter: undefined } : answer;
}

describe("laws 4 and 5: a refusal and a check change nothing", () => {
  test("a key that is also refused and checked answers like one that is not", () => {
    fc.assert(
      fc.property(limits, events, counts, (limit, schedule, more) => {
        const [quiet, busy] = [bench(limit), bench(limit)];
        for (const event of schedule) {
          busy.limiter.check("it", { key: "k", count: more });
          busy.limiter.acquire("it", { key: "k", count: limit.capacity + 1 });
          busy.limiter.acquire("it", { key: "k", headroom: limit.capacity });
          const left = busy.limiter.value("it", { key: "k" }).remaining;
          busy.limiter.acquire("it", { key: "k", count: left + 1 });
          const [one, other] = [happen(busy, event), happen(quiet, event)];
          expect(said(one)).toEqual(said(other));
          expect(busy.limiter.value("it", { key: "k" })).toEqual(
            quiet.limiter.value("it", { key: "k" }),
          );
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

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
