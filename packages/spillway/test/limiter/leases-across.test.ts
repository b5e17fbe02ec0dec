/** Leases of a store across a network. */
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { alter } from "../alter.ts";
import { away, fails, later } from "./later.ts";
import { across, fresh, key, LIMITS } from "./lease-scene.ts";

describe("with a store across a network", () => {
  test("everything about it is promised", async () => {
    const limiter = across();
    const lease = await limiter.acquire("exports", { key });
    expect(lease.renew()).toBeInstanceOf(Promise);
    expect(await lease.renew()).toBe(true);
    expect(await (await limiter.acquire("exports", { key })).renew()).toBe(false);
    expect(lease.release()).toBe(lease.release());
    expect(await lease.release()).toBe(true);
    expect(await lease.renew()).toBe(false);
  });

  test("releasing it never fails, for time frees what the store does not; renewing it does", async () => {
    const store = later(memoryStore({ clock: manualClock() }));
    const lease = await across(store).acquire("exports", { key });
    alter(store, { release: fails, renew: fails });
    await expect(lease.renew()).rejects.toThrow("the store is away");
    expect(await lease.release()).toBe(false);
    const throwing = () => {
      throw new Error("the driver is broken");
    };
    const another = await across(store).acquire("reports", { key });
    alter(store, { release: throwing });
    expect(await another.release()).toBe(false);
  });

  test("a store in this process that fails does not fail the end of work either", () => {
    const { limiter, store } = fresh();
    const lease = limiter.acquire("exports", { key });
    alter(store, {
      release: () => {
        throw new Error("the file is gone");
      },
    });
    expect(lease.release()).toBe(false);
  });

  test("what is admitted without the store is held nowhere", async () => {
    const open = { ...LIMITS.exports, whenUnavailable: "open" } as const;
    const store = away(memoryStore({ clock: manualClock() }));
    const limiter = new RateLimiter({ exports: open, reports: LIMITS.reports }, { store });
    const lease = await limiter.acquire("exports", { key });
    expect(lease).toMatchObject({ ok: true, degraded: true, ttl: Infinity });
    // Nothing of it can be lost.
    expect(await lease.renew()).toBe(true);
    expect(await lease.release()).toBe(true);
    expect(await limiter.limitAll([{ limit: "exports", key }])).toMatchObject({
      ok: true,
      lease: undefined,
    });
    const refused = await limiter.acquire("reports", { key });
    expect(refused).toMatchObject({ ok: false, reason: "unavailable" });
  });
});
