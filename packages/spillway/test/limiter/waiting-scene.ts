/** Those who wait for leases, in virtual time. */
import { afterEach, beforeEach, expect, vi } from "vitest";
import { type Limits, MINUTE, RateLimiter, type RateLimiterOptions } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock, seededRandom } from "../../src/testing/index.ts";
import { fresh as freshOf } from "../fresh.ts";
import { later } from "./later.ts";

export const LIMITS = {
  exports: { kind: "concurrency", capacity: 1, ttl: 5 * MINUTE },
  reports: { kind: "concurrency", capacity: 3, ttl: 5 * MINUTE },
} as const satisfies Limits;

export const fresh = (options?: RateLimiterOptions<"now">) => freshOf(LIMITS, options);

/** A store that answers later, and its limiter. */
export function across(store = later(memoryStore({ clock: manualClock() }))) {
  return new RateLimiter(LIMITS, { store, random: seededRandom(1) });
}

/** Milliseconds for which a unit that was held for long is left to other processes at least. */
export const REST = 100;

/** Lets happen what is ready, and no timer go off. */
export const settle = () => vi.advanceTimersByTimeAsync(0);

/** Writes down what becomes of promises, in the order in which it does. */
export function journal() {
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

export const wait = MINUTE;

/** Has each test run on a time of its own. */
export function onVirtualTime(): void {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    // Whoever has been answered leaves no timer behind.
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
}
