import { describe, expect, test } from "vitest";
import { type Limits, RateLimiter } from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";

const BUCKET = { kind: "token bucket", rate: 10, period: "10s" } as const;
const JOBS = { kind: "concurrency", capacity: 2, ttl: "10s" } as const;
const key = "k";

function limiterOf(limits: Limits) {
  const clock = manualClock();
  return { clock, limiter: new RateLimiter<Limits>(limits, { store: memoryStore({ clock }) }) };
}

describe("update", () => {
  test("keeps what keys have used, and counts it under the new definition", () => {
    const { limiter } = limiterOf({ it: BUCKET });
    limiter.limit("it", { key, count: 6 });
    limiter.update({ it: { ...BUCKET, rate: 20 } });
    expect(limiter.value("it", { key })).toMatchObject({ capacity: 20, remaining: 14 });
    limiter.update({ it: { ...BUCKET, rate: 5 } });
    expect(limiter.limit("it", { key }).ok).toBe(false);
  });

  test("adds limits, and shows them", () => {
    const { limiter } = limiterOf({ it: BUCKET });
    limiter.update({ more: { ...BUCKET, rate: 1 } });
    expect(limiter.limits).toEqual({ it: BUCKET, more: { ...BUCKET, rate: 1 } });
    expect(limiter.limit("more")).toMatchObject({ ok: true, remaining: 0 });
  });

  test("lets calls that wait for a lease go on under the new definition", async () => {
    const { limiter } = limiterOf({ jobs: { ...JOBS, capacity: 1 } });
    limiter.acquire("jobs", { key });
    const waiting = [1, 2].map(() => limiter.acquire("jobs", { key, wait: "1h" }));
    limiter.update({ jobs: { ...JOBS, capacity: 100 } });
    waiting.push(limiter.acquire("jobs", { key, wait: "1s" }));
    const leases = await Promise.all(waiting);
    expect(leases.map(({ ok, capacity }) => [ok, capacity])).toEqual(
      [1, 2, 3].map(() => [true, 100]),
    );
  });

  test("does not let a call that waits in by a definition that is gone", async () => {
    const { limiter } = limiterOf({ jobs: { ...JOBS, capacity: 5 } });
    const held = Array.from({ length: 5 }, () => limiter.acquire("jobs", { key }));
    const gone = new AbortController();
    const options = { key, wait: "1h", signal: gone.signal } as const;
    const waiting = [1, 2].map(() => limiter.acquire("jobs", options));
    limiter.update({ jobs: { ...JOBS, capacity: 1 } });
    held[0]?.release();
    expect(limiter.check("jobs", { key })).toMatchObject({ ok: false, capacity: 1 });
    gone.abort(new Error("still waiting"));
    const ends = await Promise.allSettled(waiting);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  test("shows a definition as it was when it was passed", () => {
    const { limiter } = limiterOf({ it: BUCKET });
    const mine: { -readonly [F in keyof typeof BUCKET]: unknown } = { ...BUCKET, rate: 3 };
    limiter.update({ it: mine as typeof BUCKET });
    mine.rate = 9;
    expect(limiter.limits.it).toMatchObject({ rate: 3 });
  });

  test("keeps limits of any name, and what was checked of a definition", () => {
    const { limiter } = limiterOf({ it: BUCKET });
    limiter.update(
      JSON.parse('{ "__proto__": { "kind": "sliding log", "rate": 1, "period": 9 } }'),
    );
    expect(limiter.limit("__proto__")).toMatchObject({ ok: true, capacity: 1 });
    expect(Object.keys(limiter.limits)).toEqual(["it", "__proto__"]);
    const groups = ["a"];
    limiter.update({ it: { ...BUCKET, groups } });
    groups.push("b");
    const isUnknown = expect.objectContaining({ code: "unknown-group" });
    expect(() => limiter.setMode("off", { group: "b" })).toThrow(isUnknown);
  });

  test("takes effect for the limit that was asked last", () => {
    const { limiter } = limiterOf({ it: BUCKET });
    expect(limiter.limit("it").capacity).toBe(10);
    limiter.update({ it: { ...BUCKET, rate: 3 } });
    expect(limiter.limit("it").capacity).toBe(3);
  });

  test("leaves leases and reservations to those who have them", () => {
    const { limiter } = limiterOf({ it: BUCKET, jobs: JOBS });
    const lease = limiter.acquire("jobs", { key });
    const { retryAfter } = limiter.limit("it", { key, count: 15, reserve: true });
    limiter.update({ it: { ...BUCKET, rate: 100 }, jobs: { ...JOBS, capacity: 1 } });
    expect(retryAfter).toBe(5000);
    expect(limiter.acquire("jobs", { key }).ok).toBe(false);
    expect(lease.renew()).toBe(true);
    expect(lease.release()).toBe(true);
    expect(limiter.acquire("jobs", { key }).ok).toBe(true);
    const value = limiter.settle("it", { key, reserved: 15, used: 15 });
    expect(value).toMatchObject({ capacity: 100, remaining: 85 });
  });

  test.each<[object, string]>([
    [{ it: { ...BUCKET, rate: -1 } }, "bad-rate"],
    [{ it: { ...BUCKET, kind: "sliding log" } }, "wrong-kind"],
    [{ it: JOBS }, "wrong-kind"],
    [{ it: undefined }, "bad-limit"],
    [{ another: null }, "unknown-limit"],
    [{ toString: null }, "unknown-limit"],
    [[BUCKET], "bad-limit"],
    [Promise.resolve({}), "bad-limit"],
  ])("refuses %j with %s, and changes nothing of the rest", (updates, code) => {
    const { limiter } = limiterOf({ it: BUCKET, other: BUCKET });
    const isOne = Array.isArray(updates) || updates instanceof Promise;
    const all = isOne ? updates : { other: { ...BUCKET, rate: 99 }, ...updates };
    expect(() => limiter.update(all as never)).toThrow(expect.objectContaining({ code }));
    expect(limiter.limits).toEqual({ it: BUCKET, other: BUCKET });
    expect(limiter.limit("other").capacity).toBe(10);
  });

  test("refuses names that the limiter's type does not have", () => {
    const limiter = new RateLimiter({ it: BUCKET });
    limiter.update({ it: { ...BUCKET, rate: 3 } });
    // @ts-expect-error it is the only name
    limiter.update({ other: BUCKET });
    // @ts-expect-error a name that the type has is not removed
    limiter.update({ it: null });
    limiter.update({ it: BUCKET } as never);
    // @ts-expect-error a limit keeps its kind
    expect(() => limiter.update({ it: JOBS })).toThrow("as before");
    // @ts-expect-error likewise
    expect(() => limiter.setMode("off", { limit: "another" })).toThrow("expected one of");
  });
});

/** A token bucket promises so many units in a span; what several promise is added up. */
test.each(Array.from({ length: runs(60) }, (_, seed) => ({ seed })))(
  "a key gets at most what the definitions would admit apart, whatever changes, seed $seed",
  ({ seed }) => {
    const random = seededRandom(seed);
    const { limiter, clock } = limiterOf({ it: BUCKET });
    const definitions = [BUCKET, { ...BUCKET, rate: 4 }, { ...BUCKET, capacity: 25 }];
    let admitted = 0;
    let ms = 0;
    for (let call = 0; call < 200; call++) {
      const definition = definitions[Math.floor(random() * definitions.length)] ?? BUCKET;
      if (random() < 0.3) limiter.update({ it: definition });
      const passed = Math.floor(random() * 300);
      clock.advance(passed);
      ms += passed;
      const count = 1 + Math.floor(random() * 3);
      if (limiter.limit("it", { key, count }).ok) admitted += count;
    }
    const apart = definitions.map((one) => ({ capacity: one.rate, ...one }));
    const bound = apart.reduce((sum, { rate, capacity }) => sum + capacity + (rate * ms) / 1e4, 0);
    expect(admitted).toBeLessThanOrEqual(bound);
    const least = Math.min(...apart.map(({ rate }) => (rate * ms) / 1e4));
    expect(admitted).toBeGreaterThanOrEqual(Math.floor(least));
  },
);
