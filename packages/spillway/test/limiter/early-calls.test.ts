/** Calls that wait while the code for their queues is being loaded. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MINUTE, type Mode, SECOND, type Store } from "../../src/index.ts";
import { Later } from "../../src/limiter/later.ts";
import { withLimit } from "../../src/limiter/store.ts";
import { WaitingCalls } from "../../src/limiter/waiting/waiting-calls.ts";
import { planFor } from "../../src/limits/algorithms/index.ts";
import type { Ask } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { manualClock } from "../../src/testing/index.ts";
import { alter } from "../alter.ts";
import { later, withheld } from "./later.ts";

/** Loading that a test ends, well or badly. */
class HeldBack extends Later {
  #hasLoaded = false;
  loads: { done(): void; fail(error: Error): void }[] = [];

  override get parts() {
    return this.#hasLoaded ? super.parts : undefined;
  }

  override load(): Promise<void> {
    return new Promise((resolve, reject) => this.loads.push({ done: resolve, fail: reject }));
  }

  /** All that is being loaded arrives. */
  async arrive() {
    this.#hasLoaded = true;
    for (const { done } of this.loads.splice(0)) done();
    await settle();
  }
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const plan = planFor("reports", { kind: "concurrency", capacity: 1, ttl: 5 * MINUTE });

function scene(wrap: (store: Store<"now">) => Store<Mode> = (store) => store, most = 1000) {
  const held = new HeldBack();
  const memory = memoryStore({ clock: manualClock() });
  let ids = 0;
  const anew = (ask: Ask) => ({ ...ask, lease: { id: ++ids, headroom: 0 } });
  const store = withLimit(wrap(memory));
  const calls = new WaitingCalls({ store, random: () => 0, most, anew }, held);
  const lines: string[] = [];
  const ask = (): Ask =>
    anew({ plan, key: "k", settings: undefined, count: 1, reserve: false, lease: undefined });
  const call = (name: string, ms = MINUTE, signal?: AbortSignal) =>
    calls.join(ask(), { ms, signal }).then(
      ({ ask: { lease }, decision }) => {
        lines.push(`${name} ${decision.ok ? "in" : "refused"}`);
        return decision.ok ? (lease?.id as number) : 0;
      },
      (error: Error) => {
        lines.push(`${name} ${error.message}`);
        return 0;
      },
    );
  const release = (id: number) => {
    memory.execute({ verb: "release", budgets: [{ plan, key: "k" }], lease: { id, count: 1 } });
    calls.freed({ plan, key: "k" }, 1, 10);
  };
  const left = () => memory.execute({ verb: "value", budgets: [{ plan, key: "k" }] }).remaining;
  return { held, calls, call, release, lines, left };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe("before the code of queues is loaded", () => {
  test("a call that finds a free unit is admitted at once, and loads nothing", async () => {
    const { held, call, left } = scene();
    const first = call("1");
    expect(left()).toBe(0);
    expect(await first).toBeGreaterThan(0);
    expect(held.loads).toHaveLength(0);
  });

  test("calls keep their order while it is loaded and after", async () => {
    const { held, call, release, lines } = scene();
    const ids = [call("1"), call("2"), call("3"), call("4")];
    await settle();
    expect(held.loads).toHaveLength(1);
    release(await (ids[0] as Promise<number>));
    await settle();
    expect(lines).toEqual(["1 in", "2 in"]);
    await held.arrive();
    const fifth = call("5");
    for (const id of [...ids.slice(1), fifth]) release(await id);
    expect(lines).toEqual(["1 in", "2 in", "3 in", "4 in", "5 in"]);
  });

  test("a call in flight when it arrives keeps its place", async () => {
    const kept = withheld(memoryStore({ clock: manualClock() }));
    const { held, call, lines } = scene(() => kept.store);
    const calls = [call("1"), call("2")];
    await settle();
    await held.arrive();
    expect(lines).toEqual([]);
    kept.next();
    await calls[0];
    expect(lines).toEqual(["1 in"]);
    const third = call("3", SECOND);
    for (let left = 20; left > 0; left--) {
      await vi.advanceTimersByTimeAsync(MINUTE / 10);
      for (let more = 9; more > 0; more--) kept.next();
    }
    await Promise.all([...calls, third]);
    expect(lines.toSorted()).toEqual(["1 in", "2 refused", "3 refused"]);
  });

  test("a call is refused when its time is over, after a last look for units", async () => {
    const other = memoryStore({ clock: manualClock() });
    const { call, lines } = scene(() => other);
    const taken = { id: 1e9, count: 1 };
    const lease = { id: taken.id, headroom: 0 };
    asking(other).limit({ plan, key: "k", count: 1, reserve: false, lease });
    const calls = [call("1", 100), call("2", 50), call("3", 300)];
    await vi.advanceTimersByTimeAsync(99);
    expect(lines).toEqual(["2 refused"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(lines).toEqual(["2 refused", "1 refused"]);
    // By another process, of which nothing is heard here.
    other.execute({ verb: "release", budgets: [{ plan, key: "k" }], lease: taken });
    await vi.advanceTimersByTimeAsync(200);
    expect(lines).toEqual(["2 refused", "1 refused", "3 in"]);
    await Promise.all(calls);
  });

  test("the time of a call goes on where it moves to the queue", async () => {
    const { held, call, lines } = scene();
    const calls = [call("1"), call("2", 100)];
    await vi.advanceTimersByTimeAsync(60);
    await held.arrive();
    await vi.advanceTimersByTimeAsync(39);
    expect(lines).toEqual(["1 in"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(lines).toEqual(["1 in", "2 refused"]);
    await Promise.all(calls);
  });

  test("an aborted call rejects at once, and the next one moves up", async () => {
    const { call, release, lines } = scene();
    const stop = new AbortController();
    const first = call("1");
    const calls = [call("2", MINUTE, stop.signal), call("3")];
    await settle();
    stop.abort(new Error("gave up"));
    await settle();
    expect(lines).toEqual(["1 in", "2 gave up"]);
    release(await first);
    await Promise.all(calls);
    expect(lines).toEqual(["1 in", "2 gave up", "3 in"]);
    await call("4", MINUTE, AbortSignal.abort(new Error("came late")));
    expect(lines.at(-1)).toBe("4 came late");
  });

  test("a lease granted to a call that gave up meanwhile is taken back", async () => {
    const kept = withheld(memoryStore({ clock: manualClock() }));
    const release = vi.fn();
    const { call, lines } = scene(() => alter(kept.store, { release }));
    const stop = new AbortController();
    const calls = [call("1", MINUTE, stop.signal), call("2", SECOND)];
    stop.abort(new Error("gave up"));
    kept.next();
    await settle();
    expect(lines).toEqual(["1 gave up"]);
    expect(release).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(SECOND);
    for (let more = 5; more > 0; more--) kept.next();
    await Promise.all(calls);
  });

  test("if it can't be loaded, all who wait learn why, and the next call tries again", async () => {
    const { held, call, release, lines } = scene();
    const first = await call("1");
    const calls = [call("2"), call("3")];
    held.loads.shift()?.fail(new Error("no such file"));
    await Promise.all(calls);
    expect(lines).toEqual(["1 in", "2 no such file", "3 no such file"]);
    const fourth = call("4");
    expect(held.loads).toHaveLength(1);
    await held.arrive();
    release(first);
    await fourth;
    expect(lines.at(-1)).toBe("4 in");
  });

  test("no more calls wait than may", async () => {
    const { held, call, lines } = scene(undefined, 2);
    await call("1");
    const calls = [call("2"), call("3")];
    await call("4");
    expect(lines).toEqual(["1 in", "4 refused"]);
    held.loads.shift()?.fail(new Error("no such file"));
    await Promise.all(calls);
  });

  test("an error of the store reaches its call only", async () => {
    let isAway = true;
    const limit = async (ask: Ask) => {
      if (isAway) throw new Error("the store is away");
      return asking(memory).limit(ask);
    };
    const memory = memoryStore({ clock: manualClock() });
    const { call, lines } = scene(() => alter(later(memory), { limit }));
    const calls = [call("1"), call("2")];
    isAway = false;
    await Promise.all(calls);
    expect(lines).toEqual(["1 the store is away", "2 in"]);
  });
});

describe("a lease under which work runs", () => {
  const lease = (expiresAfter: number) => {
    const renew = vi.fn(() => true);
    return { ttl: 1000, expiresAfter, isOver: false, renew };
  };

  test("is renewed once the code is loaded", async () => {
    const held = new HeldBack();
    const one = lease(1000);
    const lost = vi.fn();
    const stop = held.keep(one, lost);
    await held.arrive();
    await vi.advanceTimersByTimeAsync(260);
    expect(one.renew).toHaveBeenCalledOnce();
    stop();
    expect(lost).not.toHaveBeenCalled();
  });

  test("is lost when it expires, if the code does not come in time or at all", async () => {
    const held = new HeldBack();
    const lost = vi.fn();
    held.keep(lease(1000), lost);
    held.loads[0]?.fail(new Error("no such file"));
    await vi.advanceTimersByTimeAsync(999);
    expect(lost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(lost).toHaveBeenCalledOnce();
  });

  test("has no timer left after the work, loaded or not", async () => {
    const held = new HeldBack();
    const one = lease(1000);
    held.keep(one, () => {})();
    await held.arrive();
    await vi.advanceTimersByTimeAsync(2000);
    expect(one.renew).not.toHaveBeenCalled();
  });
});
