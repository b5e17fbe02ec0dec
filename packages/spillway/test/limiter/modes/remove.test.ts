/** Limits that are removed while the program runs. */
import { describe, expect, test } from "vitest";
import { type Limits, RateLimiter } from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { withheld } from "../later.ts";

const BUCKET = { kind: "token bucket", rate: 10, period: "10s" } as const;
const JOBS = { kind: "concurrency", capacity: 1, ttl: "10s" } as const;
const key = "k";
const isUnknown = expect.objectContaining({ code: "unknown-limit" });

function limiterOf(limits: Limits) {
  const clock = manualClock();
  return { clock, limiter: new RateLimiter<Limits>(limits, { store: memoryStore({ clock }) }) };
}

describe("update with null", () => {
  test("removes a limit, whose name is then unknown to every call", async () => {
    const { limiter } = limiterOf({ it: BUCKET, jobs: JOBS, other: BUCKET });
    limiter.limit("it", { key });
    limiter.update({ it: null, jobs: null });
    expect(limiter.limits).toEqual({ other: BUCKET });
    expect(limiter.modes).toEqual({ other: "enforce" });
    expect(() => limiter.limit("it", { key })).toThrow(isUnknown);
    expect(() => limiter.check("it", { key })).toThrow(isUnknown);
    expect(() => limiter.value("it", { key })).toThrow(isUnknown);
    expect(() => limiter.acquire("jobs", { key })).toThrow(isUnknown);
    expect(() => limiter.limitAll([{ limit: "other" }, { limit: "it" }])).toThrow(isUnknown);
    expect(() => limiter.setMode("off", { limit: "it" })).toThrow(isUnknown);
    await expect(limiter.run("jobs", () => 1)).rejects.toThrow(isUnknown);
    expect(limiter.value("other").remaining).toBe(10);
  });

  test("changes nothing if another definition is wrong", () => {
    const { limiter } = limiterOf({ it: BUCKET, other: BUCKET });
    expect(() => limiter.update({ it: null, other: { ...BUCKET, rate: -1 } })).toThrow("rate");
    expect(() => limiter.update({ it: null, another: null })).toThrow(isUnknown);
    expect(limiter.limit("it").ok).toBe(true);
  });

  test("lets leases be renewed and released, and estimates be settled", () => {
    const { limiter } = limiterOf({ it: BUCKET, jobs: JOBS });
    const lease = limiter.acquire("jobs", { key });
    limiter.limit("it", { key, count: 8 });
    limiter.update({ it: null, jobs: null });
    expect(lease.renew()).toBe(true);
    expect(lease.release()).toBe(true);
    const settled = limiter.settle("it", { key, reserved: 8, used: 3 });
    expect(settled).toMatchObject({ limit: "it", remaining: 7 });
    limiter.update({ it: { ...BUCKET, rate: 20 }, jobs: JOBS });
    expect(limiter.value("it", { key })).toMatchObject({ capacity: 20, remaining: 17 });
    expect(limiter.acquire("jobs", { key }).ok).toBe(true);
  });

  test("settles no limit that never was, nor the leases of one that was removed", () => {
    const { limiter } = limiterOf({ jobs: JOBS });
    const estimate = { key, reserved: 1, used: 1 };
    expect(() => limiter.settle("it", estimate)).toThrow(isUnknown);
    const isWrong = expect.objectContaining({ code: "wrong-kind" });
    expect(() => limiter.settle("jobs", estimate)).toThrow(isWrong);
    limiter.update({ jobs: null });
    expect(() => limiter.settle("jobs", estimate)).toThrow(isUnknown);
  });

  test("lets a limit come back as another kind, also for those who settle", () => {
    const { limiter, clock } = limiterOf({ it: BUCKET });
    limiter.limit("it", { key, count: 8 });
    limiter.update({ it: null });
    limiter.update({ it: { ...BUCKET, kind: "sliding log" } });
    expect(limiter.limit("it", { key })).toMatchObject({ ok: true, capacity: 10, remaining: 1 });
    limiter.update({ it: null });
    limiter.update({ it: JOBS });
    expect(limiter.settle("it", { key, reserved: 8, used: 8 }).capacity).toBe(10);
    // What the key has used counts for the new kind too, until it would have come back.
    expect(limiter.acquire("it", { key }).ok).toBe(false);
    clock.advance(10_000);
    expect(limiter.acquire("it", { key }).ok).toBe(true);
  });

  test("forgets what setMode has set for it, and keeps what was set for its group", () => {
    const { limiter } = limiterOf({ it: BUCKET, other: { ...BUCKET, groups: ["some"] } });
    limiter.setMode("off", { limit: "it" });
    limiter.setMode("shadow", { group: "some" });
    limiter.update({ it: null, other: null });
    limiter.update({ it: BUCKET, other: { ...BUCKET, groups: ["some"] } });
    expect(limiter.modes).toEqual({ it: "enforce", other: "shadow" });
  });

  test("refuses the calls that wait for it, and no others", async () => {
    const { limiter } = limiterOf({ jobs: JOBS, others: JOBS });
    const held = ["jobs", "others"].map((limit) => limiter.acquire(limit, { key }));
    const wait = { key, wait: "1h" } as const;
    const waiting = [1, 2, 3].map(() => limiter.acquire("jobs", wait));
    const alone = limiter.acquire("jobs", { ...wait, config: JOBS });
    const other = limiter.acquire("others", wait);
    limiter.update({ jobs: null });
    const ends = await Promise.allSettled(waiting);
    expect(ends).toEqual([1, 2, 3].map(() => ({ status: "rejected", reason: isUnknown })));
    for (const lease of held) expect(lease.release()).toBe(true);
    expect([(await alone).ok, (await other).ok]).toEqual([true, true]);
  });

  test("lets a call go on whose answer is on its way, and refuses it after a refusal", async () => {
    const { store, next, kept } = withheld(memoryStore());
    const limiter = new RateLimiter<Limits, "later">({ jobs: JOBS }, { store });
    const wait = { key, wait: "1h" } as const;
    const waiting = [1, 2].map(() => limiter.acquire("jobs", wait));
    limiter.update({ jobs: null });
    await expect(waiting[1]).rejects.toThrow(isUnknown);
    next();
    expect((await waiting[0])?.ok).toBe(true);
    limiter.update({ jobs: JOBS });
    const refused = limiter.acquire("jobs", wait);
    expect(kept).toHaveLength(1);
    limiter.update({ jobs: null });
    next();
    await expect(refused).rejects.toThrow(isUnknown);
  });
});
