/** Waiting that a signal ends. */
import { describe, expect, test, vi } from "vitest";
import { SECOND, type StopSignal } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { manualClock } from "../../src/testing/index.ts";
import { alter } from "../alter.ts";
import { fails, later, withheld } from "./later.ts";
import { across, fresh, journal, onVirtualTime, REST, settle, wait } from "./waiting-scene.ts";

onVirtualTime();

describe("a signal", () => {
  test("that is aborted already rejects with its reason, and asks for nothing", async () => {
    const { limiter, store } = fresh();
    const taken = vi.spyOn(store, "limit");
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(limiter.acquire("exports", { wait, signal })).rejects.toThrow("gone");
    expect(taken).not.toHaveBeenCalled();
  });

  test("ends the waiting of one, and the others move up", async () => {
    const { limiter } = fresh();
    const held = limiter.acquire("exports");
    const { lines, note } = journal();
    const gone = new AbortController();
    const { signal } = gone;
    const rejected = note("first", limiter.acquire("exports", { wait, signal }));
    note("second", limiter.acquire("exports", { wait, signal: new AbortController().signal }));
    gone.abort(new Error("gone"));
    await expect(rejected).rejects.toThrow("gone");
    held.release();
    await settle();
    expect(lines).toEqual(["first gone", "second in"]);
  });

  test("that comes after the answer changes nothing; in this process that is there at once", async () => {
    const { limiter } = fresh();
    const gone = new AbortController();
    const lease = limiter.acquire("exports", { wait, signal: gone.signal });
    gone.abort(new Error("gone"));
    expect((await lease).ok).toBe(true);
    expect(limiter.value("exports").remaining).toBe(0);
  });

  test("of one who is not first in line asks for nothing", async () => {
    const { limiter, store } = fresh();
    const held = limiter.acquire("exports");
    const first = limiter.acquire("exports", { wait });
    const gone = new AbortController();
    const second = limiter.acquire("exports", { wait, signal: gone.signal });
    const asks = vi.spyOn(store, "limit");
    gone.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    expect(asks).not.toHaveBeenCalled();
    held.release();
    expect((await first).ok).toBe(true);
  });

  test("ends a waiting once: what its store answers then concerns nobody else", async () => {
    const memory = memoryStore({ clock: manualClock() });
    const store = later(memory);
    const answers: (() => void)[] = [];
    const { check } = asking({ ...store, execute: store.execute.bind(store) });
    alter(store, {
      check: async (ask) => {
        await new Promise<void>((resolve) => answers.push(resolve));
        return check(ask);
      },
    });
    const limiter = across(store);
    const held = await limiter.acquire("exports");
    const signals = [new AbortController(), new AbortController()] as const;
    const [first, second] = signals.map(({ signal }, n) =>
      limiter.acquire("exports", { wait: n === 0 ? wait : SECOND, signal }),
    );
    await vi.advanceTimersByTimeAsync(SECOND);
    for (const signal of signals.toReversed()) signal.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    await expect(second).rejects.toThrow("gone");
    const { lines, note } = journal();
    note("third", limiter.acquire("exports", { wait }));
    await settle();
    for (const answer of answers) answer();
    await settle();
    await held.release();
    await vi.advanceTimersByTimeAsync(REST);
    expect(lines).toEqual(["third in"]);
  });

  test("lets the next one ask at once, who may need less", async () => {
    const { limiter } = fresh();
    limiter.acquire("reports");
    const gone = new AbortController();
    const { lines, note } = journal();
    note("large", limiter.acquire("reports", { count: 3, wait, signal: gone.signal }));
    note("small", limiter.acquire("reports", { wait }));
    gone.abort(new Error("gone"));
    await settle();
    expect(lines.toSorted()).toEqual(["large gone", "small in"]);
  });

  test("gives back what is admitted after it, for the answer was under way", async () => {
    const memory = memoryStore({ clock: manualClock() });
    const { store, next } = withheld(memory);
    const limiter = across(store);
    const gone = new AbortController();
    const { lines, note } = journal();
    note("first", limiter.acquire("exports", { wait, signal: gone.signal }));
    expect((await limiter.value("exports")).remaining).toBe(0);
    gone.abort(new Error("gone"));
    const second = note("second", limiter.acquire("exports", { wait }));
    await settle();
    expect(lines).toEqual(["first gone"]);
    next();
    await settle();
    next();
    expect((await second).ok).toBe(true);
    expect(memory.stats().keys).toBe(1);
    expect(await (await second).release()).toBe(true);
    expect((await limiter.value("exports")).remaining).toBe(1);
  });

  test("gives it back quietly, though the store should fail", async () => {
    for (const release of [
      fails,
      () => {
        throw new Error("the driver is broken");
      },
    ]) {
      const { store, next } = withheld(memoryStore({ clock: manualClock() }));
      const limiter = across(alter(store, { release }));
      const gone = new AbortController();
      const first = limiter.acquire("reports", { wait, signal: gone.signal });
      const second = limiter.acquire("reports", { wait });
      gone.abort(new Error("gone"));
      await expect(first).rejects.toThrow("gone");
      next();
      await settle();
      next();
      expect(await second).toMatchObject({ ok: true, remaining: 1 });
    }
  });

  test("is listened to no longer than the waiting", async () => {
    const { limiter } = fresh();
    const listeners = new Set<() => void>();
    const signal: StopSignal = {
      aborted: false,
      reason: undefined,
      addEventListener: (_type, listener) => listeners.add(listener),
      removeEventListener: (_type, listener) => listeners.delete(listener),
    };
    const held = limiter.acquire("exports");
    const waiting = [1, SECOND].map((ms) => limiter.acquire("exports", { wait: ms, signal }));
    // One for all who wait: a runtime looks through all listeners for each.
    expect(listeners.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(listeners.size).toBe(1);
    held.release();
    expect((await Promise.all(waiting)).map(({ ok }) => ok)).toEqual([false, true]);
    expect(listeners.size).toBe(0);
  });
});
