/** A lease counts from when it was asked for: none is handed out that is over by then. Time is virtual. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RateLimiter } from "../../src/index.ts";
import type { Decision, Store } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { manualClock } from "../../src/testing/index.ts";
import { alter } from "../alter.ts";
import { later } from "./later.ts";

const TTL = 1000;
const LIMITS = {
  jobs: { kind: "concurrency", capacity: 3, ttl: TTL },
  units: { kind: "token bucket", rate: 5, period: "366d" },
} as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A store whose answers to asks are read so many milliseconds after they were given. */
function readLate(store: Store<"now">, ms: number): Store<"later"> {
  const { limit, limitAll } = asking(store);
  const late = async <D extends Decision | readonly Decision[]>(decision: D) => {
    await pause(ms);
    return decision;
  };
  return alter(later(store), {
    limit: (ask) => late(limit(ask)),
    limitAll: (asks) => late(limitAll(asks)),
  });
}

/** A limiter whose process stands still after each ask. */
function standingStill(ms: number, clock = () => Date.now()) {
  const memory = memoryStore({ clock });
  return { memory, limiter: new RateLimiter(LIMITS, { store: readLate(memory, ms) }) };
}

const refused = { ok: false, reason: "unavailable", degraded: true, remaining: 0, ttl: Infinity };

describe("a lease that is over before it is handed out", () => {
  test("is refused", async () => {
    const { limiter } = standingStill(TTL);
    const lease = limiter.acquire("jobs");
    await pass(TTL);
    expect(await lease).toMatchObject(refused);
  });

  test("is refused as well to one who waits, and thrown where that was said", async () => {
    const { limiter } = standingStill(TTL);
    const waiting = limiter.acquire("jobs", { wait: 10 * TTL });
    const thrown = expect(limiter.acquire("jobs", { throws: true })).rejects.toMatchObject({
      code: "unavailable",
      decision: { reason: "unavailable" },
    });
    await pass(2 * TTL);
    expect(await waiting).toMatchObject(refused);
    await thrown;
  });

  test("is refused with all that was taken together with it, which is given back", async () => {
    const { limiter } = standingStill(TTL);
    const all = limiter.limitAll([{ limit: "units", count: 2 }, { limit: "jobs" }]);
    await pass(TTL);
    expect(await all).toMatchObject({ ok: false, lease: undefined, refused: ["jobs"] });
    expect(await limiter.value("units")).toMatchObject({ remaining: 5 });
  });

  test("is renewed instead, where the store still has it", async () => {
    const clock = manualClock();
    const { limiter } = standingStill(TTL, clock);
    const lease = limiter.acquire("jobs");
    await pass(0);
    clock.advance(TTL - 1);
    await pass(TTL);
    const held = await lease;
    expect(held).toMatchObject({ ok: true, ttl: TTL, expiresAfter: TTL });
    clock.advance(TTL - 1);
    expect(await held.release()).toBe(true);
  });

  test("is nobody's: it is given back where its renewal is not answered in time either", async () => {
    const clock = manualClock();
    const { limiter, memory } = standingStill(TTL, clock);
    const slow = alter(readLate(memory, TTL), { renew: () => pause(TTL).then(() => true) });
    const late = new RateLimiter(LIMITS, { store: slow });
    const lease = late.acquire("jobs");
    await pass(2 * TTL);
    expect(await lease).toMatchObject(refused);
    expect(await limiter.value("jobs")).toMatchObject({ remaining: 3 });
  });
});

test("what is left of a lease counts from when it was asked for", async () => {
  const { limiter } = standingStill(TTL - 1);
  const lease = limiter.acquire("jobs");
  await pass(TTL - 1);
  expect(await lease).toMatchObject({ ok: true, expiresAfter: 1 });
  await pass(1);
  expect((await lease).expiresAfter).toBe(0);
});

test("renewing answers false where its answer is read when it is over again", async () => {
  const memory = memoryStore({ clock: () => Date.now() });
  const slow = later(memory);
  const { renew } = asking(memory);
  const limiter = new RateLimiter(LIMITS, { store: slow });
  const lease = await limiter.acquire("jobs");
  alter(slow, {
    renew: async (...of: Parameters<typeof renew>) => {
      const isHeld = await renew(...of);
      await pause(TTL);
      return isHeld;
    },
  });
  const renewed = lease.renew();
  await pass(TTL);
  expect(await renewed).toBe(false);
});

test("run renews a lease as soon as a quarter of its time is over since it was asked for", async () => {
  const { limiter } = standingStill((TTL * 3) / 4);
  let isLost = false;
  const work = limiter.run("jobs", async (lost) => {
    await pause(10 * TTL);
    isLost = lost.aborted;
  });
  await pass(12 * TTL);
  await work;
  expect(isLost).toBe(false);
});
