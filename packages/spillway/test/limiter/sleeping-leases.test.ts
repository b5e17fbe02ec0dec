/** Leases while the machine sleeps, and where its clock steps: the clock that never steps stands still then. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RateLimiter } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { alter } from "../alter.ts";
import { fails, later } from "./later.ts";

const TTL = 1000;
const LIMITS = { jobs: { kind: "concurrency", capacity: 1, ttl: TTL } } as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Timers and the clock that never steps stand still; the machine's clock goes on, or is set. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** A store that goes on while this machine sleeps, its limiter, and that of a machine that is awake. */
function place() {
  const memory = memoryStore({ clock: () => Date.now() });
  const store = later(memory);
  const [limiter, elsewhere] = [store, later(memory)].map(
    (one) => new RateLimiter(LIMITS, { store: one }),
  ) as [RateLimiter<typeof LIMITS, "later">, RateLimiter<typeof LIMITS, "later">];
  return { memory, store, limiter, elsewhere };
}

test("a lease is not believed in once somebody else may have its place", async () => {
  const { limiter, elsewhere } = place();
  const lease = await limiter.acquire("jobs");
  sleep(TTL - 1);
  expect([lease.expiresAfter, (await elsewhere.acquire("jobs")).ok]).toEqual([1, false]);
  sleep(1);
  expect([lease.expiresAfter, (await elsewhere.acquire("jobs")).ok]).toEqual([0, true]);
  expect(await lease.renew()).toBe(false);
});

test("a lease whose place is still free is renewed, and believed in again", async () => {
  const { limiter } = place();
  const lease = await limiter.acquire("jobs");
  sleep(TTL - 1);
  expect(await lease.renew()).toBe(true);
  expect(lease.expiresAfter).toBe(TTL);
});

test("a clock that is set back makes no lease last longer", async () => {
  const { limiter } = place();
  const lease = await limiter.acquire("jobs");
  sleep(-60_000);
  await pass(TTL - 1);
  expect(lease.expiresAfter).toBe(1);
  await pass(1);
  expect(lease.expiresAfter).toBe(0);
});

test("a lease that was granted before the sleep and is read after it is nobody's", async () => {
  const { memory, store, limiter, elsewhere } = place();
  const { limit } = asking(memory);
  alter(store, {
    limit: async (ask) => {
      const granted = limit(ask);
      sleep(TTL);
      expect((await elsewhere.acquire("jobs")).ok).toBe(true);
      return granted;
    },
  });
  expect(await limiter.acquire("jobs")).toMatchObject({ ok: false, reason: "unavailable" });
});

test("work is stopped when its lease can't be renewed after the sleep, not a `ttl` later", async () => {
  const { store, limiter } = place();
  const work = vi.fn(
    (lost: { aborted: boolean }) =>
      new Promise((resolve) => setTimeout(() => resolve(lost.aborted), TTL / 2)),
  );
  const result = limiter.run("jobs", work as never);
  await pass(0);
  alter(store, { renew: fails, release: fails });
  sleep(TTL);
  await pass(TTL / 2);
  expect(await result).toBe(true);
});
