/** Leases of several limits, taken together. */
import { describe, expect, test } from "vitest";
import { MINUTE, RateLimiter } from "../../src/index.ts";
import type { Ask } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { manualClock } from "../../src/testing/index.ts";
import { alter } from "../alter.ts";
import { away, later } from "./later.ts";
import { across, fresh, key, LIMITS } from "./lease-scene.ts";

describe("limitAll", () => {
  const both = [
    { limit: "reports", key, count: 2 },
    { limit: "sendMessage", key },
    { limit: "exports", key },
  ] as const;

  test("gives one lease for all that is in flight by it", () => {
    const { limiter } = fresh();
    const { ok, lease } = limiter.limitAll(both);
    expect(ok).toBe(true);
    expect(lease?.ttl).toBe(MINUTE);
    expect(limiter.value("reports", { key }).remaining).toBe(1);
    expect(lease?.renew()).toBe(true);
    expect(lease?.release()).toBe(true);
    const left = (["reports", "exports", "sendMessage"] as const).map(
      (limit) => limiter.value(limit, { key }).remaining,
    );
    expect(left).toEqual([3, 1, 9]);
  });

  test("takes nothing where one refuses, and gives no lease then", () => {
    const { limiter } = fresh();
    limiter.acquire("exports", { key });
    expect(limiter.limitAll(both)).toMatchObject({ ok: false, lease: undefined });
    expect(limiter.value("reports", { key }).remaining).toBe(3);
  });

  test("gives no lease where nothing is in flight by it", () => {
    const { limiter } = fresh();
    expect(limiter.limitAll([{ limit: "sendMessage", key }]).lease).toBeUndefined();
    expect(limiter.limitAll([{ limit: "reports", key, count: 0 }]).lease).toBeUndefined();
    const { lease } = limiter.limitAll([
      { limit: "reports", key, count: 0 },
      { limit: "exports", key },
    ]);
    expect(lease?.release()).toBe(true);
  });

  test("holds what one budget is asked for twice by one lease", () => {
    const { limiter } = fresh();
    const ask = { limit: "reports", key } as const;
    const { lease } = limiter.limitAll([ask, { ...ask, count: 2 }]);
    expect(limiter.value("reports", { key }).remaining).toBe(0);
    expect(lease?.release()).toBe(true);
    expect(limiter.value("reports", { key }).remaining).toBe(3);
  });

  test("holds what the store has lent, where the rest was admitted without it", async () => {
    const open = { ...LIMITS.reports, whenUnavailable: "open" } as const;
    const memory = memoryStore({ clock: manualClock() });
    const gone = away(memory);
    const limits = { ...LIMITS, reports: open, exports: { ...open, capacity: 1 } };
    // As in a cluster of which one node is away.
    const limitAll = async (asks: readonly Ask[]) => {
      const blind = await asking(gone).limitAll(asks);
      return asks.map((ask, n) =>
        ask.plan.limit === "reports" ? blind[n] : asking(memory).limit(ask),
      );
    };
    const limiter = new RateLimiter(limits, { store: alter(later(memory), { limitAll }) });
    const reports = { limit: "reports", key } as const;
    const { lease } = await limiter.limitAll([reports, reports, { limit: "exports", key }]);
    expect((await limiter.value("exports", { key })).remaining).toBe(0);
    expect(await lease?.release()).toBe(true);
    expect((await limiter.value("exports", { key })).remaining).toBe(1);
  });

  test("tells that a lease is lost where a part of it is", () => {
    const { limiter, clock } = fresh();
    const { lease } = limiter.limitAll(both);
    clock.advance(MINUTE);
    expect(lease?.renew()).toBe(false);
    expect(lease?.release()).toBe(false);
    expect(limiter.value("reports", { key }).remaining).toBe(3);
  });

  test("with a store across a network, releases all of it before it answers", async () => {
    const limiter = across();
    const { lease } = await limiter.limitAll(both);
    expect(await lease?.release()).toBe(true);
    expect((await limiter.value("reports", { key })).remaining).toBe(3);
  });
});
