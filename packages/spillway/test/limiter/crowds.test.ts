/** Thousands on one key: what they cost is counted. Timers are virtual, turns of the event loop are real. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MINUTE } from "../../src/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { alter } from "../alter.ts";
import { freshByTimers } from "../fresh.ts";

const MANY = 5000;
/** Steps in one turn of the event loop, at most. */
const MOST_IN_TURN = 500;
const TTL = 40_000;
const LIMITS = {
  one: { kind: "concurrency", capacity: 1, ttl: TTL },
  all: { kind: "concurrency", capacity: MANY, ttl: TTL },
} as const;

const { setImmediate: turn } =
  await vi.importActual<typeof import("node:timers/promises")>("node:timers/promises");

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** How much was counted in this turn of the event loop, and in each that follows until there is no more. */
async function perTurn(count: () => number): Promise<readonly number[]> {
  for (let hops = 20; hops > 0; hops--) await undefined;
  const steps = [count()];
  for (let quiet = 0; quiet < 5; ) {
    await turn();
    const step = count() - sum(steps);
    quiet = step === 0 ? quiet + 1 : 0;
    steps.push(step);
  }
  return steps;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

describe("many who wait", () => {
  test("have one timer together, and none once they have been answered", async () => {
    const { limiter } = freshByTimers(LIMITS, { maxWaiting: MANY });
    const held = limiter.acquire("all", { count: MANY });
    const waiting = Array.from({ length: MANY }, (_, n) =>
      limiter.acquire("all", { wait: MINUTE + n }),
    );
    // The other one is that of the queue, which looks for what others have given back.
    expect(vi.getTimerCount()).toBe(2);
    held.release();
    await perTurn(() => 0);
    expect((await Promise.all(waiting)).every(({ ok }) => ok)).toBe(true);
    // The last are answered before their turn has ended.
    await perTurn(() => 0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("get in one after the other, in turns that leave room for other work", async () => {
    const { limiter, store } = freshByTimers(LIMITS, { maxWaiting: MANY });
    const held = limiter.acquire("one");
    let served = 0;
    const jobs = Array.from({ length: MANY }, async () => {
      const lease = await limiter.acquire("one", { wait: MINUTE });
      served++;
      lease.release();
    });
    const asks = vi.spyOn(store, "limit");
    held.release();
    const steps = await perTurn(() => served);
    await Promise.all(jobs);
    expect(sum(steps)).toBe(MANY);
    expect(Math.max(...steps)).toBeLessThanOrEqual(MOST_IN_TURN);
    // Who is next is refused at most once before it is its turn.
    expect(asks.mock.calls.length).toBeLessThanOrEqual(2 * MANY);
  });

  test("get in together in turns, where there is room for all at once", async () => {
    const { limiter } = freshByTimers(LIMITS, { maxWaiting: MANY });
    const held = limiter.acquire("all", { count: MANY });
    let served = 0;
    for (let left = MANY; left > 0; left--) {
      limiter.acquire("all", { wait: MINUTE }).then(() => served++);
    }
    held.release();
    const steps = await perTurn(() => served);
    expect(sum(steps)).toBe(MANY);
    expect(Math.max(...steps)).toBeLessThanOrEqual(MOST_IN_TURN);
  });

  test("are found without walking through what has gone", async () => {
    const { limiter } = freshByTimers(LIMITS, { maxWaiting: MANY });
    const held = limiter.acquire("one");
    const jobs = Array.from({ length: MANY }, async () => {
      (await limiter.acquire("one", { wait: MINUTE })).release();
    });
    const walks = [Map.prototype, Set.prototype].flatMap((prototype) =>
      (["keys", "values", "entries"] as const).map((name) => vi.spyOn(prototype, name)),
    );
    held.release();
    for (let turns = 0; turns < 2 * (MANY / MOST_IN_TURN); turns++) await turn();
    expect(walks.map(({ mock }) => mock.calls.length)).toEqual(walks.map(() => 0));
    vi.restoreAllMocks();
    await Promise.all(jobs);
  });

  test("are rejected in turns where one signal ends all of them", async () => {
    const { limiter, store } = freshByTimers(LIMITS, { maxWaiting: MANY });
    const held = limiter.acquire("one");
    const gone = new AbortController();
    let rejected = 0;
    for (let left = MANY; left > 0; left--) {
      limiter.acquire("one", { wait: MINUTE, signal: gone.signal }).catch(() => rejected++);
    }
    const asks = vi.spyOn(store, "limit");
    // Each of them stops listening to its signal when it leaves the line.
    const leaves = vi.spyOn(Set.prototype, "delete");
    gone.abort();
    const steps = await perTurn(() => leaves.mock.calls.length);
    expect(Math.max(...steps)).toBeLessThanOrEqual(MOST_IN_TURN);
    expect(sum(steps)).toBeGreaterThanOrEqual(MANY);
    expect(rejected).toBe(MANY);
    expect(asks.mock.calls.length).toBeLessThanOrEqual(MOST_IN_TURN);
    // None of them is in the way of who comes next.
    held.release();
    expect((await limiter.acquire("one", { wait: MINUTE })).ok).toBe(true);
  });

  test("are refused in turns where the time of all is over at once", async () => {
    const { limiter } = freshByTimers(LIMITS, { maxWaiting: MANY });
    limiter.acquire("one");
    let refused = 0;
    for (let left = MANY; left > 0; left--) {
      limiter.acquire("one", { wait: 1000 }).then(({ ok }) => (refused += ok ? 0 : 1));
    }
    vi.advanceTimersByTime(1000);
    const steps = await perTurn(() => refused);
    expect(sum(steps)).toBe(MANY);
    expect(Math.max(...steps)).toBeLessThanOrEqual(MOST_IN_TURN);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("many runs", () => {
  test("have one timer, are renewed in turns, each once in a quarter of the ttl, and none is lost", async () => {
    const { limiter, store } = freshByTimers(LIMITS, { maxWaiting: MANY });
    let [renewals, lost] = [0, 0];
    const { renew } = asking({ ...store, execute: store.execute.bind(store) });
    alter(store, {
      renew: (...of: Parameters<typeof renew>) => {
        renewals++;
        return renew(...of);
      },
    });
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const runs = Array.from({ length: MANY }, () =>
      limiter.run("all", async (signal) => {
        await over;
        if (signal.aborted) lost++;
      }),
    );
    await perTurn(() => 0);
    expect(vi.getTimerCount()).toBe(1);
    for (let quarter = 0; quarter < 8; quarter++) {
      renewals = 0;
      vi.advanceTimersByTime(TTL / 4);
      const steps = await perTurn(() => renewals);
      expect(sum(steps)).toBe(MANY);
      expect(Math.max(...steps)).toBeLessThanOrEqual(MOST_IN_TURN);
      expect(vi.getTimerCount()).toBe(1);
    }
    expect(limiter.value("all").remaining).toBe(0);
    end();
    await Promise.all(runs);
    expect({ lost, timers: vi.getTimerCount() }).toEqual({ lost: 0, timers: 0 });
  });
});
