/** What happens to leases at random, and what is in flight by it. */
import fc from "fast-check";
import { type Lease, RateLimiter } from "../../src/limiter/index.ts";
import { type Concurrency, LONGEST, MOST_UNITS } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";

export const limits: fc.Arbitrary<Concurrency> = fc.record({
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

export const counts = fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 7 }));

/** What happens next: pauses are shares of the ttl, and a lease is one of those that were lent. */
export type Event =
  | { readonly type: "acquire"; readonly count: number; readonly headroom: number }
  | { readonly type: "release" | "renew"; readonly which: number }
  | { readonly type: "pause"; readonly share: number };

export const events = fc.array(
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
export type Lent = {
  readonly lease: Lease<"now">;
  readonly count: number;
  readonly start: number;
  end: number;
  /** What releasing it has answered. */
  released: boolean | undefined;
};

export function bench(limit: Concurrency) {
  const clock = manualClock();
  const limiter = new RateLimiter({ it: limit }, { store: memoryStore({ clock }), warn() {} });
  const newest = { at: clock() };
  return { clock, limiter, ttl: limit.ttl as number, all: [] as Lent[], newest };
}

export type Bench = ReturnType<typeof bench>;

/** Units in flight at an instant: from a lease's start until before its end. */
export function inFlight(all: readonly Lent[], at: number): number {
  const those = all.filter(({ start, end }) => start <= at && at < end);
  return those.reduce((units, { count }) => units + count, 0);
}

/** Carries an event out; what it was told is for the laws to judge. */
export function happen({ clock, limiter, ttl, all, newest }: Bench, event: Event, key = "k") {
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
