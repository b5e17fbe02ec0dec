/** What a queue of those who wait costs the store. */
import { describe, expect, test, vi } from "vitest";
import { MINUTE, RateLimiter, SECOND } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { withheld } from "./later.ts";
import { across, fresh, journal, LIMITS, onVirtualTime, settle, wait } from "./waiting-scene.ts";

onVirtualTime();

describe("a queue", () => {
  test("turns away who comes when it is full, and takes nothing for them", async () => {
    const { limiter } = fresh({ maxWaiting: 2 });
    const held = limiter.acquire("reports", { count: 2 });
    const large = limiter.acquire("reports", { count: 3, wait });
    const second = limiter.acquire("reports", { wait });
    const refusal = { ok: false, reason: "limited", retryAfter: 25 };
    expect(await limiter.acquire("reports", { wait })).toMatchObject(refusal);
    const busy = await limiter.acquire("reports", { count: 2, wait });
    expect(busy).toMatchObject({ ok: false, retryAfter: 5 * MINUTE });
    expect(limiter.value("reports").remaining).toBe(1);
    const elsewhere = await limiter.acquire("reports", { key: "org 7", wait });
    expect(elsewhere.ok).toBe(true);
    held.release();
    (await large).release();
    expect((await second).ok).toBe(true);
    expect((await limiter.acquire("reports", { wait })).ok).toBe(true);
  });

  test("asks the store only for its first, ever more rarely, up to once a second", async () => {
    const { limiter, store } = fresh({ random: () => 0 });
    limiter.acquire("exports");
    const asks = vi.spyOn(store, "limit");
    const start = performance.now();
    const at: number[] = [];
    const { lines, note } = journal();
    for (let n = 0; n < 100; n++) note(`${n}`, limiter.acquire("exports", { wait: 10 * SECOND }));
    for (let ms = 0; ms < 10 * SECOND; ms += 25) {
      while (at.length < asks.mock.calls.length) at.push(performance.now() - start);
      await vi.advanceTimersByTimeAsync(25);
    }
    const pauses = at.slice(1).map((instant, n) => instant - (at[n] as number));
    expect(pauses.slice(0, 7)).toEqual([25, 50, 100, 200, 400, 800, 1000]);
    expect(new Set(pauses.slice(6))).toEqual(new Set([1000]));
    const ids = asks.mock.calls.slice(0, at.length).map(([{ lease }]) => lease?.id);
    // Of what was lost under way the last lease may have been lent: each ask is for another one.
    expect(new Set(ids).size).toBe(at.length);
    expect(lines).toHaveLength(100);
  });

  test("draws its pauses, so that processes do not ask in step", async () => {
    const pauseBy = async (random: () => number) => {
      const { limiter, store } = fresh({ random });
      limiter.acquire("exports");
      const asks = vi.spyOn(store, "limit");
      const waiting = limiter.acquire("exports", { wait: 200 });
      let pause = 0;
      for (; asks.mock.calls.length < 2; pause++) await vi.advanceTimersByTimeAsync(1);
      await vi.advanceTimersByTimeAsync(200);
      await waiting;
      return pause;
    };
    expect(await pauseBy(() => 0)).toBe(25);
    // The virtual time goes by whole milliseconds.
    expect(await pauseBy(() => 0.5)).toBe(18);
  });

  test("asks often again after something was released, though it did not suffice", async () => {
    const { limiter, store } = fresh({ random: () => 0 });
    const [one, ...others] = [1, 2, 3].map(() => limiter.acquire("reports"));
    const waiting = limiter.acquire("reports", { count: 3, wait });
    await vi.advanceTimersByTimeAsync(20 * SECOND);
    one?.release();
    const asks = vi.spyOn(store, "limit");
    await vi.advanceTimersByTimeAsync(25);
    expect(asks).toHaveBeenCalledTimes(1);
    for (const lease of others) lease.release();
    expect((await waiting).ok).toBe(true);
  });

  test("begins anew when it was empty", async () => {
    const { limiter, store } = fresh({ random: () => 0 });
    const held = limiter.acquire("exports");
    const early = limiter.acquire("exports", { wait: 20 * SECOND });
    await vi.advanceTimersByTimeAsync(20 * SECOND);
    expect((await early).ok).toBe(false);
    const asks = vi.spyOn(store, "limit");
    await vi.advanceTimersByTimeAsync(20 * SECOND);
    expect(asks).not.toHaveBeenCalled();
    const waiting = limiter.acquire("exports", { wait });
    await vi.advanceTimersByTimeAsync(25);
    expect(asks).toHaveBeenCalledTimes(2);
    held.release();
    expect((await waiting).ok).toBe(true);
  });

  test("begins anew as well when its last one was admitted", async () => {
    const { limiter, store } = fresh({ random: () => 0 });
    const elsewhere = new RateLimiter(LIMITS, { store }).acquire("exports");
    const early = limiter.acquire("exports", { wait });
    await vi.advanceTimersByTimeAsync(20 * SECOND);
    elsewhere.release();
    await vi.advanceTimersByTimeAsync(SECOND);
    const held = await early;
    const waiting = limiter.acquire("exports", { wait });
    const asks = vi.spyOn(store, "limit");
    await vi.advanceTimersByTimeAsync(25);
    expect(asks).toHaveBeenCalledTimes(1);
    held.release();
    expect((await waiting).ok).toBe(true);
  });

  test("is one for a process, though who waits comes and goes", async () => {
    const { store, next } = withheld(memoryStore({ clock: manualClock() }));
    const limiter = across(store);
    const gone = new AbortController();
    const first = limiter.acquire("exports", { wait, signal: gone.signal });
    gone.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    const { lines, note } = journal();
    note("second", limiter.acquire("exports", { wait: SECOND }));
    note("third", limiter.acquire("exports", { wait: SECOND }));
    next();
    await settle();
    next();
    await settle();
    expect(lines).toEqual(["second in"]);
    next();
    await vi.advanceTimersByTimeAsync(SECOND);
    next();
    await settle();
    expect(lines).toEqual(["second in", "third refused"]);
  });
});
