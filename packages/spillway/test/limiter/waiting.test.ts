/** Waiting for a lease: in what order, and how long. Time is virtual. */
import { describe, expect, test, vi } from "vitest";
import { MINUTE, RateLimiter, SECOND } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { alter } from "../alter.ts";
import { away } from "./later.ts";
import { across, fresh, journal, LIMITS, onVirtualTime, settle, wait } from "./waiting-scene.ts";

onVirtualTime();

describe("an ask that waits", () => {
  test("is admitted at once where there is room", async () => {
    const lease = fresh().limiter.acquire("exports", { wait });
    expect(lease).toBeInstanceOf(Promise);
    expect(await lease).toMatchObject({ ok: true, remaining: 0 });
  });

  test("is admitted as soon as a lease is released", async () => {
    for (const limiter of [fresh().limiter, across()]) {
      const held = await limiter.acquire("exports");
      const { lines, note } = journal();
      const waiting = note("it", limiter.acquire("exports", { wait }));
      await settle();
      expect(lines).toEqual([]);
      held.release();
      await settle();
      expect(lines).toEqual(["it in"]);
      expect(await (await waiting).release()).toBe(true);
    }
  });

  test("also by a lease of several limits", async () => {
    const { limiter } = fresh();
    const { lease } = limiter.limitAll([{ limit: "exports" }, { limit: "reports" }]);
    const waiting = limiter.acquire("exports", { wait });
    lease?.release();
    expect((await waiting).ok).toBe(true);
  });

  test("is refused when its time is over, and not before", async () => {
    const { limiter, store } = fresh();
    limiter.acquire("exports");
    const { lines, note } = journal();
    const waiting = note("it", limiter.acquire("exports", { wait: SECOND }));
    await vi.advanceTimersByTimeAsync(SECOND - 1);
    expect(lines).toEqual([]);
    // It has been told before what there is.
    const soon = vi.fn();
    const { check } = asking({ ...store, execute: store.execute.bind(store) });
    alter(store, { check: soon.mockImplementation(check) });
    await vi.advanceTimersByTimeAsync(1);
    expect(lines).toEqual(["it refused"]);
    expect(soon).not.toHaveBeenCalled();
    expect(await waiting).toMatchObject({ reason: "limited", retryAfter: 5 * MINUTE });
  });

  test("is rejected then, with throws", async () => {
    const { limiter } = fresh();
    limiter.acquire("exports");
    const waiting = limiter.acquire("exports", { wait: SECOND, throws: true });
    const refusal = expect(waiting).rejects.toMatchObject({ code: "limited", limit: "exports" });
    await vi.advanceTimersByTimeAsync(SECOND);
    await refusal;
  });

  test("is not kept waiting for what waiting does not bring", async () => {
    const { limiter } = fresh();
    const large = await limiter.acquire("reports", { count: 4, wait });
    expect(large).toMatchObject({ ok: false, reason: "too large", retryAfter: Infinity });
    limiter.block("reports", { for: "1s" });
    expect(await limiter.acquire("reports", { wait })).toMatchObject({ reason: "blocked" });
    const closed = across(away(memoryStore()));
    expect(await closed.acquire("reports", { wait })).toMatchObject({ reason: "unavailable" });
  });

  test("is refused when its key is blocked meanwhile", async () => {
    const { limiter } = fresh();
    const held = limiter.acquire("exports");
    const waiting = limiter.acquire("exports", { wait });
    limiter.block("exports", { for: "1h" });
    held.release();
    expect(await waiting).toMatchObject({ ok: false, reason: "blocked" });
  });

  test("of a count of 0 takes nothing, and waits until a unit is left", async () => {
    const { limiter } = fresh();
    const held = limiter.acquire("exports");
    const waiting = limiter.acquire("exports", { count: 0, wait });
    held.release();
    expect(await waiting).toMatchObject({ ok: true, remaining: 1 });
    expect(limiter.value("exports").remaining).toBe(1);
  });

  test("is admitted when a lease that nobody renews is over, to the millisecond", async () => {
    // One virtual time for the store and for the timers.
    const store = memoryStore({ clock: () => Date.now() });
    const { limiter } = fresh({ store });
    const config = { kind: "concurrency", capacity: 1, ttl: 1500 } as const;
    limiter.acquire("job", { config });
    const { lines, note } = journal();
    note("it", limiter.acquire("job", { config, wait }));
    await vi.advanceTimersByTimeAsync(1499);
    expect(lines).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(lines).toEqual(["it in"]);
  });

  test("finds what another limiter has given back within a second", async () => {
    const { limiter, store } = fresh();
    const held = new RateLimiter(LIMITS, { store }).acquire("exports");
    const waiting = limiter.acquire("exports", { wait });
    await vi.advanceTimersByTimeAsync(30 * SECOND);
    held.release();
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(vi.getTimerCount()).toBe(0);
    expect((await waiting).ok).toBe(true);
  });
});

describe("several that wait", () => {
  test("are admitted in the order in which they asked", async () => {
    const { limiter } = fresh();
    let held = limiter.acquire("exports");
    const { lines, note } = journal();
    const waiting = ["first", "second", "third"].map((name) =>
      note(name, limiter.acquire("exports", { wait })),
    );
    for (const next of waiting) {
      held.release();
      held = await next;
    }
    expect(lines).toEqual(["first in", "second in", "third in"]);
  });

  test("get all the room there is, at once", async () => {
    const { limiter } = fresh();
    const held = limiter.acquire("reports", { count: 3 });
    const { lines, note } = journal();
    for (const name of ["a", "b", "c", "d"]) note(name, limiter.acquire("reports", { wait }));
    held.release();
    await settle();
    expect(lines).toEqual(["a in", "b in", "c in"]);
    await vi.advanceTimersByTimeAsync(wait);
    expect(lines.at(-1)).toBe("d refused");
  });

  test("get in however many they are, and however deep the program is that lets them in", async () => {
    const many = 5000;
    const limits = { all: { kind: "concurrency", capacity: many, ttl: "1h" } } as const;
    const limiter = new RateLimiter(limits, { maxWaiting: many, random: seededRandom(1) });
    const held = limiter.acquire("all", { count: many });
    const waiting = Array.from({ length: many }, () => limiter.acquire("all", { wait }));
    const deep = (calls: number): unknown => (calls === 0 ? held.release() : deep(calls - 1));
    deep(5000);
    expect((await Promise.all(waiting)).every(({ ok }) => ok)).toBe(true);
    expect(limiter.value("all")).toMatchObject({ remaining: 0 });
  });

  test("do not get in before one who needs more", async () => {
    const { limiter } = fresh();
    const [one, two] = [limiter.acquire("reports"), limiter.acquire("reports", { count: 2 })];
    const { lines, note } = journal();
    const large = note("large", limiter.acquire("reports", { count: 3, wait }));
    const small = note("small", limiter.acquire("reports", { wait }));
    one.release();
    await settle();
    expect(lines).toEqual([]);
    two.release();
    await settle();
    expect(lines).toEqual(["large in"]);
    (await large).release();
    expect((await small).ok).toBe(true);
  });

  test("who do not wait at all are not held up by them", async () => {
    const { limiter } = fresh();
    limiter.acquire("reports");
    const large = limiter.acquire("reports", { count: 3, wait: SECOND });
    expect(limiter.acquire("reports").ok).toBe(true);
    await vi.advanceTimersByTimeAsync(SECOND);
    expect((await large).ok).toBe(false);
  });

  test("for one key do not hold up those for another", async () => {
    const { limiter, store } = fresh();
    const [ours, theirs] = ["org 7", "org 8"].map((key) => limiter.acquire("exports", { key }));
    const { lines, note } = journal();
    note("7", limiter.acquire("exports", { key: "org 7", wait: SECOND }));
    note("8", limiter.acquire("exports", { key: "org 8", wait: SECOND }));
    note("any", limiter.acquire("exports", { wait: SECOND }));
    const asks = vi.spyOn(store, "limit");
    theirs?.release();
    await settle();
    expect(lines).toEqual(["any in", "8 in"]);
    expect(asks.mock.calls.map(([ask]) => ask.key)).toEqual(["org 8"]);
    ours?.release();
    await settle();
    expect(lines).toEqual(["any in", "8 in", "7 in"]);
  });

  test("with less time are refused first, and told what there is without taking it", async () => {
    const { limiter, store } = fresh();
    const held = limiter.acquire("reports", { count: 2 });
    const { lines, note } = journal();
    const large = note("large", limiter.acquire("reports", { count: 3, wait }));
    const small = note("small", limiter.acquire("reports", { wait: SECOND }));
    const taken = vi.spyOn(store, "limit");
    const soon = vi.fn();
    const { check } = asking({ ...store, execute: store.execute.bind(store) });
    alter(store, { check: soon.mockImplementation(check) });
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(lines).toEqual(["small refused"]);
    // There is a unit, and those before it need it.
    expect(await small).toMatchObject({ reason: "limited", retryAfter: 25 });
    expect(soon).toHaveBeenCalledTimes(1);
    expect(taken.mock.calls.every(([{ count }]) => count === 3)).toBe(true);
    held.release();
    expect((await large).ok).toBe(true);
  });

  test("are told how long at least, where there is no room when their time is over", async () => {
    const { limiter, clock } = fresh();
    limiter.acquire("exports");
    const first = limiter.acquire("exports", { wait });
    const second = limiter.acquire("exports", { wait: SECOND });
    clock.advance(MINUTE);
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(await second).toMatchObject({ ok: false, retryAfter: 4 * MINUTE });
    await vi.advanceTimersByTimeAsync(wait);
    expect((await first).ok).toBe(false);
  });

  test("all get in, each before its time is over, where each goes out again", async () => {
    const { limiter } = fresh({ store: memoryStore({ clock: () => Date.now() }) });
    const random = seededRandom(3);
    let [inFlight, most, served] = [0, 0, 0];
    const job = async (count: number) => {
      await using lease = await limiter.acquire("reports", { count, wait: 5 * MINUTE });
      expect(lease.ok).toBe(true);
      inFlight += count;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setTimeout(resolve, 1 + random() * SECOND));
      inFlight -= count;
      served++;
    };
    const jobs = Array.from({ length: 300 }, () => job(1 + Math.floor(random() * 3)));
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    await Promise.all(jobs);
    expect({ served, most }).toEqual({ served: 300, most: 3 });
  });
});
