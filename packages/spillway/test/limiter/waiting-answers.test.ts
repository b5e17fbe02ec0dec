/** Answers that come while others wait, or when a time is over. */
import { describe, expect, test, vi } from "vitest";
import { RateLimiter, SECOND } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { manualClock } from "../../src/testing/index.ts";
import { alter } from "../alter.ts";
import { fails, later, withheld } from "./later.ts";
import {
  across,
  fresh,
  journal,
  LIMITS,
  onVirtualTime,
  REST,
  settle,
  wait,
} from "./waiting-scene.ts";

onVirtualTime();

describe("an answer under way", () => {
  test("is waited for when the time is over, and a yes is a yes", async () => {
    const { store, next } = withheld(memoryStore({ clock: manualClock() }));
    const { lines, note } = journal();
    note("it", across(store).acquire("exports", { wait: SECOND }));
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(lines).toEqual([]);
    next();
    await settle();
    expect(lines).toEqual(["it in"]);
  });

  test("that is a no is the last, when the time is over", async () => {
    const memory = memoryStore({ clock: manualClock() });
    const { store, next } = withheld(memory);
    new RateLimiter(LIMITS, { store: memory }).acquire("exports");
    const { lines, note } = journal();
    note("it", across(store).acquire("exports", { wait: SECOND }));
    await vi.advanceTimersByTimeAsync(SECOND);
    next();
    await settle();
    expect(lines).toEqual(["it refused"]);
  });

  test("is asked for again at once, where something was released meanwhile", async () => {
    const { store, next, kept } = withheld(memoryStore({ clock: manualClock() }));
    const limiter = across(store);
    const holder = limiter.acquire("exports");
    next();
    const waiting = limiter.acquire("exports", { wait });
    (await holder).release();
    next();
    await settle();
    expect(kept).toHaveLength(1);
    next();
    expect((await waiting).ok).toBe(true);
  });

  test("is asked for once more then, and no more than once", async () => {
    const { store, next, kept } = withheld(memoryStore({ clock: manualClock() }));
    const limiter = across(store);
    const holders = [1, 2].map((count) => limiter.acquire("reports", { count }));
    next();
    next();
    const [one, other] = await Promise.all(holders);
    const waiting = limiter.acquire("reports", { count: 3, wait });
    await one?.release();
    for (let n = 0; n < 2; n++) {
      next();
      await settle();
    }
    // Both answers were a no: the next is asked for after a pause.
    expect(kept).toHaveLength(0);
    await other?.release();
    next();
    expect((await waiting).ok).toBe(true);
  });

  test("of somebody else keeps nobody waiting beyond their time", async () => {
    const { store, next } = withheld(memoryStore({ clock: manualClock() }));
    const limiter = across(store);
    const { lines, note } = journal();
    const first = note("first", limiter.acquire("exports", { wait }));
    note("second", limiter.acquire("exports", { wait: SECOND }));
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(lines).toEqual(["second refused"]);
    next();
    expect((await first).ok).toBe(true);
  });

  test("is the only one until units are known to be free; then all that fit ask together", async () => {
    const { store, next, kept } = withheld(memoryStore({ clock: manualClock() }));
    const limiter = across(store);
    const waiting = Array.from({ length: 4 }, () => limiter.acquire("reports", { wait }));
    expect(kept).toHaveLength(1);
    next();
    const first = await waiting[0];
    await settle();
    expect(first).toMatchObject({ ok: true, remaining: 2 });
    expect(kept).toHaveLength(2);
    next();
    next();
    expect(await Promise.all(waiting.slice(1, 3))).toMatchObject([{ ok: true }, { ok: true }]);
    // The fourth asks on the off chance, and is refused until one of them is released.
    await settle();
    expect(kept).toHaveLength(1);
    next();
    await settle();
    expect(kept).toHaveLength(0);
    first?.release();
    expect(kept).toHaveLength(1);
    next();
    expect((await waiting[3])?.ok).toBe(true);
  });

  test("holds up those behind as long as it is asked on the off chance", async () => {
    const { store, next, kept } = withheld(memoryStore({ clock: manualClock() }));
    const limiter = across(store);
    const { lines, note } = journal();
    const held = [limiter.acquire("reports"), limiter.acquire("reports", { count: 2 })];
    next();
    next();
    const [one, two] = await Promise.all(held);
    note("large", limiter.acquire("reports", { count: 2, wait }));
    note("small", limiter.acquire("reports", { wait }));
    // The large one has asked, in vain. What is released meanwhile is not for the small one.
    one?.release();
    expect(kept).toHaveLength(1);
    next();
    await settle();
    expect(kept).toHaveLength(1);
    two?.release();
    next();
    await settle();
    while (kept.length > 0) {
      next();
      await settle();
    }
    expect(lines).toEqual(["large in", "small in"]);
  });

  test("that never was is told to the one who asked, and the others ask on", async () => {
    const memory = memoryStore({ clock: manualClock() });
    const store = later(memory);
    const { limit } = asking({ ...store, execute: store.execute.bind(store) });
    let asked = 0;
    alter(store, { limit: (ask) => (asked++ === 0 ? fails() : limit(ask)) });
    const limiter = across(store);
    const { lines, note } = journal();
    note("first", limiter.acquire("exports", { wait }));
    note("second", limiter.acquire("exports", { wait }));
    await settle();
    expect(lines).toEqual(["first the store is away", "second in"]);
  });

  test("of a store in this process may fail as well", async () => {
    const { limiter, store } = fresh();
    const held = limiter.acquire("exports");
    const waiting = limiter.acquire("exports", { wait });
    const [limit, failing] = [store.limit.bind(store), vi.spyOn(store, "limit")];
    failing.mockImplementation(() => {
      throw new Error("the file is locked");
    });
    held.release();
    await expect(waiting).rejects.toThrow("the file is locked");
    failing.mockImplementation(limit);
    expect((await limiter.acquire("exports", { wait })).ok).toBe(true);
  });

  test("that fails when a time is over is told as well", async () => {
    const store = later(memoryStore({ clock: manualClock() }));
    const limiter = across(store);
    const held = await limiter.acquire("exports");
    const first = limiter.acquire("exports", { wait });
    const second = limiter.acquire("exports", { wait: SECOND });
    await settle();
    alter(store, { check: fails });
    const rejected = expect(second).rejects.toThrow("the store is away");
    await vi.advanceTimersByTimeAsync(SECOND);
    await rejected;
    held.release();
    await vi.advanceTimersByTimeAsync(REST);
    expect((await first).ok).toBe(true);
  });
});
