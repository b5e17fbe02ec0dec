/** Waiting for a lease: in what order, how long, and what it costs the store. Time is virtual. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type Limits,
  MINUTE,
  RateLimiter,
  type RateLimiterOptions,
  SECOND,
  type StopSignal,
} from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { manualClock, seededRandom } from "../../src/testing/index.ts";
import { alter } from "../alter.ts";
import { away, fails, later, withheld } from "./later.ts";

const LIMITS = {
  exports: { kind: "concurrency", capacity: 1, ttl: 5 * MINUTE },
  reports: { kind: "concurrency", capacity: 3, ttl: 5 * MINUTE },
} as const satisfies Limits;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // Whoever has been answered leaves no timer behind.
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function fresh(options: RateLimiterOptions<"now"> = {}) {
  const clock = manualClock();
  const store = memoryStore({ clock });
  const limiter = new RateLimiter(LIMITS, { store, random: seededRandom(1), ...options });
  return { clock, store, limiter };
}

/** A store that answers later, and its limiter. */
function across(store = later(memoryStore({ clock: manualClock() }))) {
  return new RateLimiter(LIMITS, { store, random: seededRandom(1) });
}

/** Milliseconds for which a unit that was held for long is left to other processes at least. */
const REST = 100;

/** Lets happen what is ready, and no timer go off. */
const settle = () => vi.advanceTimersByTimeAsync(0);

/** Writes down what becomes of promises, in the order in which it does. */
function journal() {
  const lines: string[] = [];
  const note = <P extends Promise<{ readonly ok: boolean }>>(name: string, promise: P) => {
    promise.then(
      ({ ok }) => lines.push(`${name} ${ok ? "in" : "refused"}`),
      (error: Error) => lines.push(`${name} ${error.message}`),
    );
    return promise;
  };
  return { lines, note };
}

const wait = MINUTE;

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

  test("is the only one: those who come meanwhile stand in line", async () => {
    const { store, next, kept } = withheld(memoryStore({ clock: manualClock() }));
    const limiter = across(store);
    const waiting = Array.from({ length: 3 }, () => limiter.acquire("reports", { wait }));
    for (const [before] of waiting.entries()) {
      expect(kept).toHaveLength(1);
      next();
      expect(await waiting[before]).toMatchObject({ ok: true, remaining: 2 - before });
    }
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
