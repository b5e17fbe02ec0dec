/** Law 1: a limit never admits more than it promises. Counted here from the admissions alone. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Limit, Plan } from "../../src/limits/core/index.ts";
import { bench, fitted, limitOf, type Step, steps } from "./arbitrary.ts";

/** An admitted ask: its instant, its units, and when its work starts. */
type Admission = { readonly at: number; readonly units: number; readonly start: number };

function admissions(limit: Limit, asks: readonly Step[], { reserving } = { reserving: false }) {
  const { limiter, clock, plan } = bench(limit);
  const admitted: Admission[] = [];
  for (const step of asks) {
    const { ms, ask } = fitted(step, plan);
    clock.advance(ms);
    const decision = limiter.limit("it", { ...ask, reserve: ask.reserve && reserving });
    if (!decision.ok || ask.count === 0) continue;
    admitted.push({ at: clock(), units: ask.count, start: clock() + decision.retryAfter });
  }
  return { admitted, plan };
}

const sum = (some: readonly Admission[]) => some.reduce((total, { units }) => total + units, 0);
const big = (whole: number) => BigInt(whole);

/** Every run of successive admissions, with the time between its first and its last. */
function* runs(admitted: readonly Admission[], moment: "at" | "start") {
  const sorted = admitted.toSorted((a, b) => a[moment] - b[moment]);
  for (let first = 0; first < sorted.length; first++) {
    for (let last = first; last < sorted.length; last++) {
      const span = (sorted[last] as Admission)[moment] - (sorted[first] as Admission)[moment];
      yield { run: sorted.slice(first, last + 1), span };
    }
  }
}

function windowOf({ start = 0, period }: Plan, at: number): number {
  return Math.floor((at - start) / period);
}

describe("law 1: bound", () => {
  test("token bucket: capacity + rate · span / period in every span", () => {
    fc.assert(
      fc.property(limitOf("token bucket"), steps, (limit, asks) => {
        const { admitted, plan } = admissions(limit, asks);
        for (const { run, span } of runs(admitted, "at")) {
          const allowed = big(plan.capacity) * big(plan.period) + big(plan.rate) * big(span);
          expect(big(sum(run)) * big(plan.period) <= allowed).toBe(true);
        }
      }),
    );
  });

  test("token bucket with reservations: no work starts before its units have come back", () => {
    fc.assert(
      fc.property(limitOf("token bucket"), steps, (limit, asks) => {
        const { admitted, plan } = admissions(limit, asks, { reserving: true });
        for (const { start } of admitted) {
          const started = sum(admitted.filter((one) => one.start <= start));
          const span = start - (admitted[0] as Admission).at;
          const earned = big(plan.capacity) * big(plan.period) + big(plan.rate) * big(span);
          expect(big(started) * big(plan.period) <= earned).toBe(true);
        }
      }),
    );
  });

  test("fixed window: capacity in a window, capacity + (k − 1) · rate in k", () => {
    fc.assert(
      fc.property(limitOf("fixed window"), steps, (drawn, asks) => {
        const limit = { start: 0, ...drawn };
        const { admitted, plan } = admissions(limit as Limit, asks);
        for (const { run } of runs(admitted, "at")) {
          const first = windowOf(plan, (run[0] as Admission).at);
          const windows = windowOf(plan, (run.at(-1) as Admission).at) - first + 1;
          expect(sum(run)).toBeLessThanOrEqual(plan.capacity + (windows - 1) * plan.rate);
        }
      }),
    );
  });

  test("sliding window: its weighted estimate is at most the rate at every admission", () => {
    fc.assert(
      fc.property(limitOf("sliding window"), steps, (drawn, asks) => {
        const limit = { start: 0, ...drawn };
        const { admitted, plan } = admissions(limit as Limit, asks);
        admitted.forEach(({ at }, index) => {
          const window = windowOf(plan, at);
          const until = admitted.slice(0, index + 1);
          const inWindow = (n: number) => sum(until.filter((one) => windowOf(plan, one.at) === n));
          const left = plan.period - (at - (plan.start ?? 0) - window * plan.period);
          const estimate =
            big(inWindow(window)) * big(plan.period) + big(inWindow(window - 1)) * big(left);
          expect(estimate <= big(plan.rate) * big(plan.period)).toBe(true);
        });
      }),
    );
  });

  test("sliding log: rate in every span of a period", () => {
    fc.assert(
      fc.property(limitOf("sliding log"), steps, (limit, asks) => {
        const { admitted, plan } = admissions(limit, asks);
        for (const { run, span } of runs(admitted, "at")) {
          if (span < plan.period) expect(sum(run)).toBeLessThanOrEqual(plan.rate);
        }
      }),
    );
  });

  test("leaky bucket: starts are period / rate apart, and no more than the capacity waits", () => {
    fc.assert(
      fc.property(limitOf("leaky bucket"), steps, (limit, asks) => {
        const { admitted, plan } = admissions(limit, asks);
        const ahead = (run: readonly Admission[]) => sum(run.slice(0, -1));
        for (const { run, span } of runs(admitted, "start")) {
          // To the clock's millisecond: a start at a fraction is told the next whole one.
          const least = big(ahead(run)) * big(plan.period);
          expect(big(span + 1) * big(plan.rate) > least || run.length === 1).toBe(true);
        }
        for (const { at } of admitted) {
          const waiting = admitted.filter((one) => one.at <= at && one.start > at);
          expect(sum(waiting)).toBeLessThanOrEqual(plan.capacity);
        }
      }),
    );
  });
});
