/** A page counts on as the server would: to the millisecond, for every kind, from any state. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { valueSnapshot, valueSource } from "../../../src/http/value/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Rate } from "../../../src/limits/core/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { VirtualScheduler } from "../../client/virtual-scheduler.ts";
import { runs } from "../../runs.ts";

const KINDS = [
  "token bucket",
  "fixed window",
  "sliding window",
  "sliding log",
  "leaky bucket",
] as const;

/** What is done on the server before a page asks. */
const history = fc.array(
  fc.record({ wait: fc.integer({ min: 0, max: 700 }), count: fc.integer({ min: 1, max: 4 }) }),
  { maxLength: 12 },
);

const rates = fc.record({
  rate: fc.integer({ min: 1, max: 9 }),
  period: fc.integer({ min: 1, max: 3000 }),
  blockedFor: fc.option(fc.integer({ min: 1, max: 2000 }), { nil: undefined }),
});

/** What is used before the page asks: units, each after a wait. */
type Used = readonly { readonly wait: number; readonly count: number }[];

/** A server on which something has been used, and a page that has just been answered. */
async function world(limit: Rate, list: Used, block?: number) {
  const clock = manualClock();
  const limiter = new RateLimiter({ api: limit }, { store: memoryStore({ clock }) });
  for (const { wait, count } of list) {
    clock.advance(wait);
    limiter.limit("api", { key: "ada", count });
  }
  if (block !== undefined) limiter.block("api", { key: "ada", for: block });
  const time = new VirtualScheduler();
  const sent = await valueSnapshot(limiter, { limit: "api", key: "ada" });
  const initial = JSON.parse(JSON.stringify(sent));
  return { clock, limiter, time, source: valueSource("/", { initial, scheduler: time }) };
}

describe.each(KINDS)("%s", (kind) => {
  test("is the same on a page as on the server, at every later instant", async () => {
    await fc.assert(
      fc.asyncProperty(
        rates,
        history,
        fc.array(fc.integer({ min: 0, max: 2500 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 10 }),
        async ({ rate, period, blockedFor }, list, waits, count) => {
          const { clock, limiter, time, source } = await world(
            { kind, rate, period },
            list,
            blockedFor,
          );
          const stop = source.subscribe(() => {}, count);
          for (const wait of waits) {
            clock.advance(wait);
            await time.advance(wait);
            stop();
            source.subscribe(() => {}, count)();
            const value = limiter.value("api", { key: "ada" });
            const { ok, retryAfter, reason } = limiter.check("api", { key: "ada", count });
            expect(source.view(count)).toEqual({
              status: "ready",
              limit: "api",
              capacity: rate,
              remaining: value.blockedFor > 0 ? 0 : value.remaining,
              resetAfter: value.resetAfter,
              ok,
              retryAfter: ok ? 0 : retryAfter,
              reason,
            });
          }
        },
      ),
      { numRuns: runs(40) },
    );
  });
});

test("a debt, and a start of windows, are counted on as well", async () => {
  const limit = { kind: "fixed window", rate: 5, period: 1000, start: 250 } as const;
  const { clock, limiter, time, source } = await world(limit, [{ wait: 0, count: 5 }]);
  limiter.settle("api", { key: "ada", reserved: 1, used: 4 });
  const sent = await valueSnapshot(limiter, { limit: "api", key: "ada" });
  const later = valueSource("/", { initial: sent, scheduler: time });
  const stops = [source.subscribe(() => {}), later.subscribe(() => {})];
  for (let step = 0; step < 30; step++) {
    clock.advance(100);
    await time.advance(100);
    expect(later.view().remaining).toBe(limiter.value("api", { key: "ada" }).remaining);
  }
  for (const stop of stops) stop();
});

test("a log that is too long to send comes back no sooner, and all of it at last", async () => {
  const limit = { kind: "sliding log", rate: 1000, period: 10_000 } as const;
  const list = Array.from({ length: 700 }, () => ({ wait: 5, count: 1 }));
  const { clock, limiter, time, source } = await world(limit, list);
  const stop = source.subscribe(() => {});
  for (let step = 0; step < 25; step++) {
    clock.advance(400);
    await time.advance(400);
    source.subscribe(() => {})();
    const { remaining } = limiter.value("api", { key: "ada" });
    expect(source.view().remaining).toBeLessThanOrEqual(remaining);
    // The oldest are exact.
    if (step < 20) expect(source.view().remaining).toBe(remaining);
  }
  await time.advance(100);
  expect(source.view().remaining).toBe(1000);
  stop();
});

describe("what can't be counted on", () => {
  const store = () => memoryStore({ clock: manualClock() });
  const whose = { limit: "api", key: "ada" } as const;

  test("leases: as many are left until all have come back at the latest", async () => {
    const time = new VirtualScheduler();
    const api = { kind: "concurrency", capacity: 2, ttl: 5000 } as const;
    const limiter = new RateLimiter({ api }, { store: store() });
    limiter.acquire("api", { key: "ada" });
    limiter.acquire("api", { key: "ada" });
    const initial = await valueSnapshot(limiter, whose);
    const source = valueSource("/", { initial, scheduler: time });
    const stop = source.subscribe(() => {});
    expect(source.view()).toMatchObject({ ok: false, remaining: 0, retryAfter: 5000 });
    expect(source.view(3)).toMatchObject({ ok: false, reason: "too large", retryAfter: Infinity });
    await time.advance(5000);
    expect(source.view()).toMatchObject({ ok: true, remaining: 2, retryAfter: 0 });
    stop();
  });

  test("shards: the same", async () => {
    const api = { kind: "token bucket", rate: 40, period: 4000, shards: 2 } as const;
    const limiter = new RateLimiter({ api }, { store: store() });
    limiter.limit("api", { key: "ada", count: 15 });
    const initial = await valueSnapshot(limiter, whose);
    expect(initial.state).toBeUndefined();
    const source = valueSource("/", { initial, scheduler: new VirtualScheduler() });
    expect([source.view(25).ok, source.view(26).ok]).toEqual([true, false]);
  });
});

test.each(KINDS)("a page counts by an override of the key, %s", async (kind) => {
  const clock = manualClock();
  const limiter = new RateLimiter(
    { api: { kind, rate: 10, period: "10s" } },
    { store: memoryStore({ clock }) },
  );
  limiter.limit("api", { key: "ada", count: 4 });
  limiter.override("api", { key: "ada", rate: 100 });
  limiter.limit("api", { key: "ada", count: 40 });
  const sent = await valueSnapshot(limiter, { limit: "api", key: "ada" });
  const { capacity, remaining } = limiter.value("api", { key: "ada" });
  expect(sent).toMatchObject({ limit: "api", capacity, remaining });
  expect(sent).toMatchObject({
    capacity: 100,
    remaining: 56,
    state: { definition: { rate: 100 } },
  });
});
