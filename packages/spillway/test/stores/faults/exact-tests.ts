/** Law 1 with real processes on one key: what was admitted is the bound, to the unit. */
import { beforeAll, expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import { milliseconds } from "../../../src/limits/core/index.ts";
import { charged, most } from "./books.ts";
import type { Admission } from "./clients/protocol.ts";
import { COUNTED, shortLimits } from "./exact-limits.ts";
import type { ExactRun } from "./exact-run.ts";

/** Makes tests of what came of a run. */
export function testExactness(begin: () => Promise<ExactRun>): void {
  let run: ExactRun;

  beforeAll(async () => {
    run = await begin();
  });

  test("every ask was answered by the store, and nothing else happened", () => {
    for (const { phases, errors } of run.reports) {
      expect(errors).toEqual([]);
      expect(phases.before?.events).toMatchObject({
        failed: 0,
        late: 0,
        paused: 0,
        degraded: 0,
        disagreed: 0,
        overflowed: 0,
        reasons: {},
      });
    }
  });

  test.each(COUNTED)("%s: admitted is charged, and is all there was", (name) => {
    const span = run.span(name);
    const admitted = run.admitted(name) + span.to.taken;
    expect(admitted).toBe(charged(span));
    expect(admitted).toBe(most(span));
    for (const { refused } of run.tallies(name)) expect(refused.limited).toBeGreaterThan(0);
  });

  test("leaky bucket: work starts at every instant at which a unit has leaked, and no other", () => {
    const { plan, from } = run.span("leaky bucket");
    const starts = run.admissions("leaky bucket").map(([now, retryAfter]) => now + retryAfter);
    const due = starts.map(
      (_, at) => from.now + Math.ceil((from.spent + at * plan.ticksPerUnit) / plan.refillPerMs),
    );
    expect(starts.sort((one, other) => one - other)).toEqual(due);
  });

  test("sliding log: its rate in every span of a period", () => {
    const { rate, period: text } = shortLimits(run.size)["short sliding log"];
    const period = milliseconds(text) as number;
    const instants = run.admissions("short sliding log").map(([now]) => now);
    expect(instants.length).toBeGreaterThan(rate);
    instants.forEach((instant, at) => {
      const next = instants[at + rate];
      if (next !== undefined) expect(next - instant).toBeGreaterThanOrEqual(period);
    });
  });

  test("sliding window: its estimate is at most the rate at every admission", () => {
    const limit = shortLimits(run.size)["short sliding window"];
    const admissions = run.admissions("short sliding window");
    expect(admissions.length).toBeGreaterThan(limit.rate);
    const { capacityTicks } = planFor("it", limit);
    for (const estimate of estimates(admissions, milliseconds(limit.period) as number)) {
      expect(estimate).toBeLessThanOrEqual(capacityTicks);
    }
  });
}

/** Units times milliseconds that a sliding window from instant 0 sees after each admission. */
function* estimates(admissions: readonly Admission[], period: number) {
  const inWindow = new Map<number, number>();
  for (const [now] of admissions) {
    const window = Math.floor(now / period);
    const units = (inWindow.get(window) ?? 0) + 1;
    inWindow.set(window, units);
    yield units * period + (inWindow.get(window - 1) ?? 0) * (period - (now % period));
  }
}
