/** Work under a lease: `run` acquires it, renews it and releases it. Time is virtual. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DAY, HOUR, MINUTE, RateLimiter, SECOND } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { alter } from "../alter.ts";
import { freshByTimers } from "../fresh.ts";
import { away, fails, later } from "./later.ts";

const LIMITS = {
  reports: { kind: "concurrency", capacity: 1, ttl: 30 * SECOND },
} as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A store across a network, and its limiter. */
function across() {
  const store = later(freshByTimers(LIMITS).store);
  return { store, limiter: new RateLimiter(LIMITS, { store }) };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("run", () => {
  test("returns what the work returns, and holds a lease as long as it takes", async () => {
    const { limiter } = freshByTimers(LIMITS);
    const result = await limiter.run("reports", {}, () => limiter.value("reports").remaining);
    expect(result).toBe(0);
    expect(limiter.value("reports").remaining).toBe(1);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("no disk left");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no disk left"))],
  ])("releases the lease where the work %s, and passes that on", async (_how, work) => {
    const { limiter } = freshByTimers(LIMITS);
    await expect(limiter.run("reports", {}, work)).rejects.toThrow("no disk left");
    expect(limiter.value("reports").remaining).toBe(1);
  });

  test("rejects with the refusal where there is no lease, and does not begin", async () => {
    const { limiter } = freshByTimers(LIMITS);
    limiter.acquire("reports", { key: "org 7" });
    const work = vi.fn();
    const refused = limiter.run("reports", { key: "org 7" }, work);
    await expect(refused).rejects.toMatchObject({ code: "limited", decision: { ok: false } });
    expect(work).not.toHaveBeenCalled();
  });

  test("waits for a lease where it is told to", async () => {
    const { limiter } = freshByTimers(LIMITS);
    const order: string[] = [];
    const job = (name: string) => async () => {
      order.push(`${name} begins`);
      await pause(SECOND);
      order.push(`${name} ends`);
    };
    const both = [
      limiter.run("reports", { wait: MINUTE }, job("one")),
      limiter.run("reports", { wait: MINUTE }, job("other")),
    ];
    await pass(2 * SECOND);
    await Promise.all(both);
    expect(order).toEqual(["one begins", "one ends", "other begins", "other ends"]);
  });

  test("renews the lease, so that work may take longer than its ttl", async () => {
    for (const { limiter } of [freshByTimers(LIMITS), across()]) {
      let stopped = false;
      const long = limiter.run("reports", {}, async (lost) => {
        await pause(HOUR);
        stopped = lost.aborted;
      });
      for (let minute = 0; minute < 60; minute++) {
        await pass(MINUTE - 1);
        expect((await limiter.check("reports")).ok).toBe(false);
        await pass(1);
      }
      await long;
      expect(stopped).toBe(false);
      expect((await limiter.value("reports")).remaining).toBe(1);
    }
  });

  test("renews no more when the work is over", async () => {
    const { limiter, store } = freshByTimers(LIMITS);
    const renewals = vi.fn();
    const { renew } = asking({ ...store, execute: store.execute.bind(store) });
    alter(store, { renew: renewals.mockImplementation(renew) });
    const long = limiter.run("reports", {}, () => pause(25 * SECOND));
    await pass(25 * SECOND);
    await long;
    expect(renewals).toHaveBeenCalledTimes(3);
    await pass(HOUR);
    expect(renewals).toHaveBeenCalledTimes(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("does not renew after the work, where an answer comes that late", async () => {
    const { limiter, store } = across();
    const renewals: (() => void)[] = [];
    alter(store, { renew: () => new Promise((resolve) => renewals.push(() => resolve(false))) });
    const signals: AbortSignal[] = [];
    const long = limiter.run("reports", {}, async (lost) => {
      signals.push(lost);
      await pause(15 * SECOND);
    });
    await pass(15 * SECOND);
    await long;
    for (const answer of renewals) answer();
    await pass(HOUR);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  test("renews the longest leases without waiting longer than timers can", async () => {
    const { limiter, store } = freshByTimers(LIMITS);
    const config = { kind: "concurrency", capacity: 1, ttl: 366 * DAY } as const;
    const renewals = vi.fn();
    const { renew } = asking({ ...store, execute: store.execute.bind(store) });
    alter(store, { renew: renewals.mockImplementation(renew) });
    let stopped = false;
    const long = limiter.run("audit", { config }, async (lost) => {
      await pause(20 * DAY);
      expect(renewals).not.toHaveBeenCalled();
      await pause(20 * DAY);
      stopped = lost.aborted;
    });
    await pass(40 * DAY);
    await long;
    expect(stopped).toBe(false);
    expect(renewals).toHaveBeenCalledTimes(1);
  });

  test("releases before it answers", async () => {
    const { limiter, store } = across();
    const order: string[] = [];
    alter(store, {
      release: async () => {
        await pause(1);
        order.push("released");
        return true;
      },
    });
    const done = limiter.run("reports", {}, () => {}).then(() => order.push("done"));
    await pass(1);
    await done;
    expect(order).toEqual(["released", "done"]);
  });
});

type Runs = Pick<RateLimiter<typeof LIMITS>, "run">;

describe("the signal", () => {
  /** Does work for an hour, and tells after how many milliseconds it was told to stop, and why. */
  function listening(limiter: Runs) {
    const start = Date.now();
    const at: number[] = [];
    const reasons: unknown[] = [];
    const done = limiter.run("reports", {}, async (lost) => {
      lost.addEventListener("abort", () => {
        at.push(Date.now() - start);
        reasons.push(lost.reason);
      });
      await pause(HOUR);
    });
    return { at, reasons, done };
  }

  async function abortedAt(limiter: Runs) {
    const heard = listening(limiter);
    await pass(HOUR);
    await heard.done;
    return heard;
  }

  test("is aborted when the lease is found to be gone, as after a reset", async () => {
    const { limiter } = freshByTimers(LIMITS);
    const { at, reasons, done } = listening(limiter);
    await pass(12 * SECOND);
    limiter.reset("reports");
    const next = limiter.acquire("reports");
    expect(next.ok).toBe(true);
    await pass(HOUR);
    await done;
    expect(at).toEqual([15 * SECOND]);
    expect(reasons).toMatchObject([
      { name: "SpillwayError", code: "lease-lost", limit: "reports" },
    ]);
    expect(String(reasons[0])).toContain("30000 ms");
    // The work that had lost its lease has not given back somebody else's.
    expect(next.release()).toBe(false);
  });

  test("is not where the store is away for less than the ttl", async () => {
    const { limiter, store } = across();
    const { renew } = asking({ ...store, execute: store.execute.bind(store) });
    let asked = 0;
    alter(store, { renew: (budget, held) => (asked++ % 3 === 2 ? renew(budget, held) : fails()) });
    const { at } = await abortedAt(limiter);
    expect(at).toEqual([]);
  });

  test("is when the store has been away for the ttl since it last answered", async () => {
    const { limiter, store } = across();
    const { renew } = asking({ ...store, execute: store.execute.bind(store) });
    let asked = 0;
    alter(store, { renew: (budget, held) => (asked++ === 0 ? renew(budget, held) : fails()) });
    const { at, reasons } = await abortedAt(limiter);
    expect(at).toEqual([37_500]);
    // What is lost is not asked for any more.
    expect(asked).toBeLessThanOrEqual(5);
    expect(reasons).toMatchObject([{ code: "lease-lost" }]);
  });

  test("is in time where the store keeps its answer to itself", async () => {
    const { limiter, store } = across();
    alter(store, { renew: () => new Promise(() => {}) });
    expect((await abortedAt(limiter)).at).toEqual([30 * SECOND]);
  });

  test("counts from when the store was asked, not from when it answered", async () => {
    const { limiter, store } = across();
    let asked = 0;
    alter(store, {
      renew: async () => {
        if (asked++ > 0) return fails();
        await pause(15 * SECOND);
        return true;
      },
    });
    expect((await abortedAt(limiter)).at).toEqual([37_500]);
  });

  test("is not where nothing is held that could be lost", async () => {
    const { limiter } = freshByTimers(LIMITS);
    const none = limiter.run("reports", { count: 0 }, async (lost) => {
      await pause(HOUR);
      return lost.aborted;
    });
    await pass(1);
    // The work's own, and no other.
    expect(vi.getTimerCount()).toBe(1);
    await pass(HOUR);
    expect(await none).toBe(false);
    const open = { ...LIMITS.reports, whenUnavailable: "open" } as const;
    const blind = new RateLimiter({ reports: open }, { store: away(memoryStore()) });
    expect((await abortedAt(blind)).at).toEqual([]);
  });
});
