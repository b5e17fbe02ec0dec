/** A route whose limit queues: when a request goes on, and what becomes of one whose client does not wait. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Guard, type RouteLimits } from "../../../src/http/guard/index.ts";
import { RateLimiter, SECOND } from "../../../src/index.ts";
import type { Store } from "../../../src/limits/core/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { later } from "../../limiter/later.ts";

const LIMITS = {
  calls: { kind: "leaky bucket", rate: 2, period: SECOND, capacity: 20 },
  jobs: { kind: "concurrency", capacity: 5, ttl: 60 * SECOND },
  bucket: { kind: "token bucket", rate: 2, period: SECOND, capacity: 3 },
  window: { kind: "fixed window", rate: 2, period: SECOND, start: 0 },
  few: { kind: "token bucket", rate: 2, period: SECOND, capacity: 1, maxReserved: 1 },
} as const;
const key = "all";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALLS = { limit: "calls", key };

const inMemory = () => memoryStore({ clock: manualClock() });

function guarded(
  route: object = CALLS,
  header = (): string | undefined => undefined,
  limiter = new RateLimiter(LIMITS, { store: inMemory() }),
) {
  const events: unknown[] = [];
  const onEvent = (event: unknown) => events.push(event);
  const guard = new Guard<object>(limiter, { onEvent, ...route } as RouteLimits<object>, {
    method: () => "GET",
    header,
    peer: () => "203.0.113.7",
  });
  return { limiter, guard, events };
}

/** Requests that came at once: for each, what it was answered, and after how many milliseconds. */
async function entered(guard: Guard<object>, count: number) {
  const answers: (readonly [after: number, status: number])[] = [];
  const begun = performance.now();
  for (let n = 0; n < count; n++) {
    void Promise.resolve(guard.enter({})).then(({ refusal }) =>
      answers.push([performance.now() - begun, refusal?.status ?? 200]),
    );
  }
  await vi.runAllTimersAsync();
  return answers;
}

describe("a leaky bucket on a route", () => {
  test("starts requests one after the other, and refuses at once whose start is too far", async () => {
    const { guard, limiter } = guarded();
    expect(await entered(guard, 13)).toEqual([
      [0, 200],
      [0, 429],
      [0, 429],
      ...Array.from({ length: 10 }, (_, n) => [(n + 1) * 500, 200]),
    ]);
    expect(limiter.value("calls", { key }).remaining).toBe(20 - 11);
  });

  test("waits as long as the route says, or not at all", async () => {
    expect(await entered(guarded({ ...CALLS, wait: 500 }).guard, 3)).toEqual([
      [0, 200],
      [0, 429],
      [500, 200],
    ]);
    expect(await entered(guarded({ ...CALLS, wait: 0 }).guard, 2)).toEqual([
      [0, 200],
      [0, 429],
    ]);
  });

  test("keeps nobody waiting in shadow", async () => {
    const answers = await entered(guarded({ ...CALLS, shadow: true }).guard, 3);
    expect(answers).toEqual(Array(3).fill([0, 200]));
  });

  test("that comes with the request waits as well", async () => {
    const config = () => ({ ...LIMITS.calls, rate: 1 });
    expect(await entered(guarded({ ...CALLS, config }).guard, 2)).toEqual([
      [0, 200],
      [1000, 200],
    ]);
  });

  test("is left by a client that goes, with what it held; its start is nobody else's", async () => {
    const limits = [
      { limit: "calls", key },
      { limit: "jobs", key },
    ];
    const { guard, limiter, events } = guarded({ limits });
    await guard.enter({});
    const client = new AbortController();
    const waiting = guard.enter({}, { signal: client.signal });
    await Promise.resolve();
    expect(limiter.value("jobs", { key }).remaining).toBe(3);
    client.abort();
    expect((await waiting).refusal).toBeDefined();
    await vi.advanceTimersByTimeAsync(0);
    expect(limiter.value("jobs", { key }).remaining).toBe(4);
    expect(limiter.limit("calls", { key }).retryAfter).toBe(1000);
    expect(events).toEqual([]);
  });
});

describe("requests at the same time, with a store across a network", () => {
  const limiterAcross = () =>
    new RateLimiter(LIMITS, { store: later(inMemory()) as unknown as Store<"now"> });

  const across = async (route: object) => {
    return entered(guarded(route, undefined, limiterAcross()).guard, 50);
  };

  test.each([
    ["a leaky bucket", { ...CALLS, wait: 2000 }, 5, 2000],
    [
      "a token bucket that is reserved",
      { limit: "bucket", key, reserve: true, wait: 2000 },
      7,
      2000,
    ],
    [
      "a fixed window that is reserved",
      { limit: "window", key, reserve: true, wait: 1000 },
      4,
      1000,
    ],
  ])("wait no longer under %s than the route says", async (_, route, admitted, longest) => {
    const answers = await across(route);
    const starts = answers.filter(([, status]) => status === 200).map(([after]) => after);
    expect(answers.length).toBe(50);
    expect(starts.length).toBe(admitted);
    expect(Math.max(...starts)).toBe(longest);
  });

  test("are no longer in each other's way once they are answered", async () => {
    const { guard } = guarded({ ...CALLS, wait: 500 }, undefined, limiterAcross());
    expect((await entered(guard, 1)).map(([, status]) => status)).toEqual([200]);
    expect(await entered(guard, 1)).toEqual([[500, 200]]);
  });
});

describe("a limit of a route that reserves", () => {
  test("has requests wait for their start in a token bucket, and refuses those whose start is too far", async () => {
    const route = { limit: "bucket", key, reserve: true, wait: SECOND };
    const { guard, limiter } = guarded(route);
    expect(await entered(guard, 7)).toEqual([
      [0, 200],
      [0, 200],
      [0, 200],
      [0, 429],
      [0, 429],
      [500, 200],
      [1000, 200],
    ]);
    expect(limiter.value("bucket", { key }).reserved).toBe(2);
  });

  test("has them wait for the window that pays for them", async () => {
    expect(await entered(guarded({ limit: "window", key, reserve: true }).guard, 4)).toEqual([
      [0, 200],
      [0, 200],
      [1000, 200],
      [1000, 200],
    ]);
  });

  test("refuses what is beyond maxReserved as the limit does", async () => {
    const { guard, events } = guarded({ limit: "few", key, reserve: true });
    expect(await entered(guard, 3)).toEqual([
      [0, 200],
      [0, 429],
      [500, 200],
    ]);
    expect(events).toMatchObject([{ type: "refused", decision: { retryAfter: 500 } }]);
  });

  test("says when a start is near enough, and not before", async () => {
    const { guard, events } = guarded({ limit: "bucket", key, reserve: true, wait: 200 });
    await entered(guard, 4);
    expect(events).toMatchObject([
      {
        type: "refused",
        decision: { ok: false, limit: "bucket", reason: "limited", retryAfter: 300 },
      },
    ]);
  });

  test("names all limits whose starts are too far, and the longest wait", async () => {
    const limits = [
      { limit: "bucket", key, reserve: true },
      { limit: "jobs", key },
      { limit: "window", key, count: 2, reserve: true },
    ];
    const { guard, limiter, events } = guarded({ limits, wait: 100 });
    limiter.limit("bucket", { key, count: 3 });
    limiter.limit("window", { key, count: 2 });
    const { refusal } = await guard.enter({});
    const decision = { limit: "window", retryAfter: 900 };
    expect(events).toMatchObject([{ type: "refused", decision }]);
    expect(refusal?.problem).toMatchObject({ "violated-policies": ["bucket", "window"] });
    expect(limiter.value("jobs", { key }).remaining).toBe(5);
  });

  test("keeps nobody waiting in shadow", async () => {
    const route = { limit: "bucket", key, reserve: true, shadow: true };
    expect(await entered(guarded(route).guard, 5)).toEqual(Array(5).fill([0, 200]));
  });

  test("that comes with the request waits as well, and is refused where it can't be reserved from", async () => {
    const { reserve } = { reserve: true };
    const bucket = () => ({ ...LIMITS.bucket, capacity: 1 });
    expect(await entered(guarded({ limit: "it", key, reserve, config: bucket }).guard, 2)).toEqual([
      [0, 200],
      [500, 200],
    ]);
    const log = () => ({ kind: "sliding log", rate: 2, period: SECOND });
    const { guard, events } = guarded({ limit: "it", key, reserve, config: log });
    expect(await entered(guard, 1)).toEqual([[0, 500]]);
    expect(events).toMatchObject([{ field: "reserve", error: { code: "no-reservations" } }]);
    const jobs = () => LIMITS.jobs;
    const leased = guarded({ limit: "it", key, reserve, config: jobs });
    expect(await entered(leased.guard, 1)).toEqual([[0, 500]]);
    expect(leased.events).toMatchObject([{ error: { code: "no-reservations" } }]);
  });

  test("gives a start to nobody else when its client goes", async () => {
    const { guard, limiter } = guarded({ limit: "few", key, reserve: true });
    await guard.enter({});
    const client = new AbortController();
    const waiting = guard.enter({}, { signal: client.signal });
    client.abort();
    expect((await waiting).refusal).toBeDefined();
    await vi.advanceTimersByTimeAsync(0);
    expect(limiter.value("few", { key }).reserved).toBe(1);
  });

  test("gives back what was there at once, where what comes after it fails, and no later start", async () => {
    const route = { limit: "bucket", key, count: 2, reserve: true };
    const { guard, limiter } = guarded(route, () => {
      throw new Error("the request can't be read");
    });
    expect(await entered(guard, 1)).toEqual([[0, 500]]);
    expect(limiter.value("bucket", { key }).remaining).toBe(3);
    limiter.limit("bucket", { key, count: 3 });
    expect(await entered(guard, 1)).toEqual([[0, 500]]);
    expect(limiter.value("bucket", { key }).reserved).toBe(2);
  });

  test("watches whether a client still waits", () => {
    expect(guarded({ limit: "bucket", key }).guard.waits).toBe(false);
    expect(guarded({ limit: "bucket", key, reserve: true }).guard.waits).toBe(true);
  });
});

describe("jitter of a route", () => {
  const draws = (draw: number) => vi.spyOn(Math, "random").mockReturnValue(draw);
  afterEach(() => void vi.restoreAllMocks());

  test.each([
    [0, 500],
    [0.5, 1500],
    [0.9999, 2499],
  ])("with a draw of %d makes a refusal's wait of 500 ms one of %d", async (draw, retryAfter) => {
    draws(draw);
    const { guard, events } = guarded({ limit: "bucket", key, jitter: 1999 });
    await entered(guard, 4);
    expect(events).toMatchObject([{ decision: { ok: false, retryAfter } }]);
  });

  test("spreads refusals of starts that are too far, and of several limits", async () => {
    draws(0.5);
    const far = guarded({ ...CALLS, wait: 0, jitter: 99 });
    await entered(far.guard, 2);
    expect(far.events).toMatchObject([{ decision: { retryAfter: 550 } }]);
    const limits = [
      { limit: "bucket", key },
      { limit: "few", key },
    ];
    const joint = guarded({ limits, jitter: 99 });
    await entered(joint.guard, 2);
    expect(joint.events).toMatchObject([{ decision: { retryAfter: 550 } }]);
  });

  test("spreads starts as far as a request waits, and none that is there at once", async () => {
    draws(0.9999);
    const route = { limit: "bucket", key, reserve: true, wait: 700, jitter: 10_000 };
    expect(await entered(guarded(route).guard, 4)).toEqual([
      [0, 200],
      [0, 200],
      [0, 200],
      [700, 200],
    ]);
  });
});
