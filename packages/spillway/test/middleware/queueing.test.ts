/** A route whose limit queues: when a request goes on, and what becomes of one whose client does not wait. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RateLimiter, SECOND } from "../../src/index.ts";
import { type AnyLimiter, Guard, type RouteLimits } from "../../src/middleware/guard/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";

const LIMITS = {
  calls: { kind: "leaky bucket", rate: 2, period: SECOND, capacity: 20 },
  jobs: { kind: "concurrency", capacity: 5, ttl: 60 * SECOND },
} as const;
const key = "all";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALLS = { limit: "calls", key };

function guarded(route: object = CALLS) {
  const limiter = new RateLimiter(LIMITS, { store: memoryStore({ clock: manualClock() }) });
  const events: unknown[] = [];
  const onEvent = (event: unknown) => events.push(event);
  const guard = new Guard<object>(
    limiter as unknown as AnyLimiter,
    { onEvent, ...route } as RouteLimits<object>,
    { method: () => "GET", header: () => undefined, peer: () => "203.0.113.7" },
  );
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
