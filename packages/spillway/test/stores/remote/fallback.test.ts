import { describe, expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Budget, Limit, WhenUnavailable } from "../../../src/limits/core/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { Fallback } from "../../../src/stores/remote/fallback.ts";
import { budgetsOf } from "../../../src/stores/sharded/shards.ts";
import { manualClock } from "../../../src/testing/index.ts";

const bucket = { kind: "token bucket", rate: 10, period: "1h" } as const;

function ask(limit: Limit, whenUnavailable: WhenUnavailable, count = 1) {
  const settings = { whenUnavailable, shards: 1 };
  return { plan: planFor(whenUnavailable, limit), key: "k", settings, count, reserve: false };
}

function fallbackOf(instances: number) {
  const clock = manualClock();
  return new Fallback({ instances, clock, local: memoryStore, onEvent: undefined });
}

describe("without the store", () => {
  test("closed refuses, and says when the store is asked again", () => {
    const [decision] = fallbackOf(1).decide([ask(bucket, "closed")], true, 700);
    expect(decision).toEqual({
      ok: false,
      limit: "closed",
      capacity: 10,
      remaining: 0,
      retryAfter: 700,
      resetAfter: 700,
      reason: "unavailable",
      degraded: true,
    });
  });

  test("open admits, and claims nothing of what is left", () => {
    const [decision] = fallbackOf(1).decide([ask(bucket, "open")], true, 700);
    expect(decision).toMatchObject({ ok: true, remaining: 0, retryAfter: 0, degraded: true });
  });

  test("local counts a part of the limit, which all instances together do not exceed", () => {
    const fallback = fallbackOf(3);
    const { plan, ...rest } = ask(bucket, "local");
    const decisions = Array.from(
      { length: 5 },
      () => fallback.decide([{ plan, ...rest }], true, 1)[0],
    );
    expect(decisions.map((one) => one?.ok)).toEqual([true, true, true, false, false]);
    // A third of ten an hour: the next comes after 18 minutes.
    expect(decisions[3]).toMatchObject({ capacity: 3, retryAfter: 1_080_000, degraded: true });
  });

  test.each([
    { kind: "fixed window", rate: 10, period: "1h" },
    { kind: "sliding window", rate: 10, period: "1h" },
    { kind: "sliding log", rate: 10, period: "1h" },
    { kind: "leaky bucket", rate: 10, period: "366d" },
  ] satisfies Limit[])("local counts a third of a $kind, rounded down", (limit) => {
    const fallback = fallbackOf(3);
    const one = ask(limit, "local");
    let admitted = 0;
    while (fallback.decide([one], true, 1)[0]?.ok) admitted++;
    expect(admitted).toBe(3);
  });

  test("a limit with fewer units than instances refuses, rather than pass one in each", () => {
    const [decision] = fallbackOf(11).decide([ask(bucket, "local")], true, 1);
    expect(decision).toMatchObject({ ok: false, degraded: true });
  });

  test("a part to which nothing comes back admits nothing, whatever the capacity", () => {
    // One of three has none of two units a second; its part of the capacity would be three.
    const limit = { kind: "fixed window", rate: 2, period: "1s", capacity: 9 } as const;
    const [decision] = fallbackOf(3).decide([ask(limit, "local")], true, 1);
    expect(decision).toMatchObject({ ok: false, capacity: 0, degraded: true });
  });

  test("a part that can't be computed exactly refuses", () => {
    const limit = { kind: "token bucket", rate: 1_000_000_000, period: 31_622_400_000 } as const;
    const [decision] = fallbackOf(7).decide(
      [ask({ ...limit, capacity: 4_000_000 }, "local")],
      true,
      9,
    );
    expect(decision).toMatchObject({ ok: false, degraded: true });
  });

  test("nothing is counted for asks of which one is refused", () => {
    const fallback = fallbackOf(1);
    const local = ask(bucket, "local", 10);
    const [one, other] = fallback.decide([local, ask(bucket, "closed")], true, 1);
    expect([one?.ok, other?.ok]).toEqual([true, false]);
    expect(fallback.decide([local], true, 1)[0]).toMatchObject({ ok: true, remaining: 0 });
  });

  test("local counts a sharded limit as a whole", () => {
    const plan = planFor("local", { kind: "token bucket", rate: 100, period: "1h" });
    const settings = { whenUnavailable: "local", shards: 10 } as const;
    const fallback = fallbackOf(20);
    let admitted = 0;
    for (let ask = 0; ask < 20; ask++) {
      const budget = budgetsOf({ plan, key: "k", settings })[ask % 10] as Budget;
      const asks = [{ ...budget, count: 1, reserve: false }];
      if (fallback.decide(asks, true, 1)[0]?.ok) admitted++;
    }
    expect(admitted).toBe(5);
  });
});
