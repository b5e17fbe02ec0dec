/** Leases: what they hold, how they end, and which limits they are of. */
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type Decision,
  type JointAnswer,
  Lease,
  type Limits,
  MINUTE,
  RateLimiter,
  type Timing,
} from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { manualClock, seededRandom } from "../../src/testing/index.ts";
import { alter } from "../alter.ts";
import { later } from "./later.ts";
import { across, fresh, key, LIMITS } from "./lease-scene.ts";

describe("a lease", () => {
  test("is the decision as well, with its fields in their order and no others", () => {
    const { limiter } = fresh();
    const lease = limiter.acquire("reports", { key });
    expect(lease).toBeInstanceOf(Lease);
    expect({ ...lease }).toEqual({
      ok: true,
      limit: "reports",
      capacity: 3,
      remaining: 2,
      retryAfter: 0,
      resetAfter: 5 * MINUTE,
      reason: undefined,
      degraded: undefined,
    });
    expect(Object.keys(lease)).toEqual([
      ...Object.keys(limiter.check("reports", { key })),
      "estimatedRetryAfter",
      "mode",
      "shadowed",
    ]);
    expect(lease.ttl).toBe(5 * MINUTE);
  });

  test("holds its units until it is released", () => {
    const { limiter } = fresh();
    const two = limiter.acquire("reports", { key, count: 2 });
    const one = limiter.acquire("reports", { key });
    expect(limiter.acquire("reports", { key })).toMatchObject({ ok: false, reason: "limited" });
    expect(two.release()).toBe(true);
    expect(limiter.value("reports", { key }).remaining).toBe(2);
    expect(one.release()).toBe(true);
    expect(limiter.value("reports", { key }).remaining).toBe(3);
  });

  test("frees nothing when it is released again, and answers the same", () => {
    const { limiter } = fresh();
    const lease = limiter.acquire("exports", { key });
    expect(lease.release()).toBe(true);
    limiter.acquire("exports", { key });
    expect(lease.release()).toBe(true);
    expect(limiter.value("exports", { key }).remaining).toBe(0);
  });

  test("lasts for its ttl, and as long again from each renewal", () => {
    const { limiter, clock } = fresh();
    const lease = limiter.acquire("exports", { key });
    clock.advance(MINUTE - 1);
    expect(lease.renew()).toBe(true);
    clock.advance(MINUTE - 1);
    expect(limiter.check("exports", { key })).toMatchObject({ ok: false, retryAfter: 1 });
    clock.advance(1);
    expect(lease.renew()).toBe(false);
    expect(limiter.acquire("exports", { key }).ok).toBe(true);
    expect(lease.release()).toBe(false);
    expect(limiter.value("exports", { key }).remaining).toBe(0);
  });

  test("is not renewed once it was released, though the store still knew it", () => {
    const { limiter, store } = fresh();
    const lease = limiter.acquire("exports", { key });
    lease.release();
    alter(store, { renew: () => true });
    expect(lease.renew()).toBe(false);
  });

  test("that was refused holds nothing", () => {
    const { limiter } = fresh();
    limiter.acquire("exports", { key });
    const refused = limiter.acquire("exports", { key });
    expect(refused).toMatchObject({ ok: false, retryAfter: MINUTE, ttl: Infinity });
    expect(refused.renew()).toBe(false);
    expect(refused.release()).toBe(false);
    expect(limiter.value("exports", { key }).remaining).toBe(0);
  });

  test("of a count of 0 holds nothing, and asks whether a unit is left", () => {
    const { limiter } = fresh();
    const none = limiter.acquire("exports", { key, count: 0 });
    expect(none).toMatchObject({ ok: true, remaining: 1, ttl: Infinity });
    expect(none.renew()).toBe(true);
    expect(none.release()).toBe(true);
    expect(none.renew()).toBe(false);
    limiter.acquire("exports", { key });
    const refused = limiter.acquire("exports", { key, count: 0 });
    expect(refused.ok).toBe(false);
    expect(refused.renew()).toBe(false);
  });

  test("leaves units to asks that matter more", () => {
    const { limiter } = fresh();
    limiter.acquire("reports", { key, count: 2 });
    expect(limiter.acquire("reports", { key, headroom: 1 }).ok).toBe(false);
    expect(limiter.acquire("reports", { key }).ok).toBe(true);
  });

  test("is thrown as a refusal with throws, and waits a little longer with jitter", () => {
    const { limiter } = fresh();
    limiter.acquire("exports", { key, throws: true });
    expect(() => limiter.acquire("exports", { key, throws: true })).toThrow(
      'limit "exports": refused (limited): try again in about 1000 ms, at the latest in 60000 ms',
    );
    const { retryAfter } = limiter.acquire("exports", { key, jitter: 1000 });
    expect(retryAfter).toBeGreaterThanOrEqual(MINUTE);
    expect(retryAfter).toBeLessThanOrEqual(MINUTE + 1000);
  });

  test("has an id of its own, in every limiter", () => {
    const { limiter, store } = fresh();
    const other = new RateLimiter(LIMITS, { store, random: seededRandom(2) });
    const leases = [limiter, other, limiter].map((one) => one.acquire("reports", { key }));
    expect(leases.map((lease) => lease.release())).toEqual([true, true, true]);
  });

  test("may come with its limit", () => {
    const { limiter } = fresh();
    const config = { kind: "concurrency", capacity: 1, ttl: "10s" } as const;
    expect(limiter.acquire("trial", { key, config })).toMatchObject({ ok: true, ttl: 10_000 });
    expect(limiter.acquire("trial", { key, config }).ok).toBe(false);
  });
});

describe("at the end of a block", () => {
  test("using releases it, whatever comes of the block", () => {
    const { limiter } = fresh();
    const work = () => {
      using lease = limiter.acquire("exports", { key });
      expect(lease.ok).toBe(true);
      throw new Error("the work failed");
    };
    expect(work).toThrow("the work failed");
    expect(limiter.value("exports", { key }).remaining).toBe(1);
  });

  test("await using releases it, and goes on when it is released", async () => {
    const store = later(memoryStore({ clock: manualClock() }));
    const order: string[] = [];
    const { release } = asking({ ...store, execute: store.execute.bind(store) });
    alter(store, {
      release: async (budget, held) => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push("released");
        return release(budget, held);
      },
    });
    const limiter = across(store);
    {
      await using lease = await limiter.acquire("exports", { key });
      expect(lease.ok).toBe(true);
      expect((await limiter.value("exports", { key })).remaining).toBe(0);
    }
    order.push("after the block");
    expect(order).toEqual(["released", "after the block"]);
    expect((await limiter.value("exports", { key })).remaining).toBe(1);
  });
});

test("ends by reset, and goes on while its key is blocked", () => {
  const { limiter } = fresh();
  const lease = limiter.acquire("exports", { key });
  limiter.block("exports", { key, for: MINUTE });
  expect(lease.renew()).toBe(true);
  limiter.reset("exports", { key });
  expect(lease.renew()).toBe(false);
  expect(limiter.acquire("exports", { key })).toMatchObject({ ok: false, reason: "blocked" });
});

test("types know which limits are of leases, and whether answers are promised", async () => {
  const { limiter } = fresh();
  const remote = across();
  const work = () => 7;
  expectTypeOf(limiter.acquire("reports")).toEqualTypeOf<Lease<"now">>();
  expectTypeOf(limiter.acquire("reports").release()).toEqualTypeOf<boolean>();
  expectTypeOf(limiter.acquire("reports", { key, wait: 1000 })).toEqualTypeOf<
    Promise<Lease<"now">>
  >();
  expectTypeOf(remote.acquire("reports")).toEqualTypeOf<Promise<Lease<"later">>>();
  const lease = await remote.acquire("reports");
  expectTypeOf(lease.release()).toEqualTypeOf<Promise<boolean>>();
  expectTypeOf(lease).toExtend<Decision>();
  expectTypeOf(limiter.limitAll([{ limit: "reports" }])).toEqualTypeOf<JointAnswer<"now">>();
  expectTypeOf(limiter.run("exports", {}, work)).toEqualTypeOf<Promise<number>>();
  expectTypeOf(limiter.run("exports", { wait: 9 }, async (lost) => lost)).toEqualTypeOf<
    Promise<AbortSignal>
  >();
  // What concerns any limit.
  limiter.check("reports", { key });
  limiter.value("reports");
  // @ts-expect-error: of a rate nothing is in flight
  expect(() => limiter.acquire("sendMessage")).toThrow("kind is");
  // @ts-expect-error: what is in flight is acquired
  expect(() => limiter.limit("reports")).toThrow("kind is");
  // @ts-expect-error: and released, not settled
  expect(() => limiter.settle("reports", { reserved: 1, used: 0 })).toThrow("kind is");
  // @ts-expect-error: a rate has no leases
  await expect(limiter.run("sendMessage", {}, work)).rejects.toThrow("kind is");
  // @ts-expect-error: a signal ends a waiting, and there is none
  expect(() => limiter.acquire("reports", { signal: AbortSignal.timeout(1) })).toThrow("wait is");
  // @ts-expect-error: leases are not taken ahead of time
  expect(() => limiter.acquire("reports", { reserve: true })).toThrow("unknown field");
  // @ts-expect-error: where throws is what run does
  await expect(limiter.run("reports", { throws: false }, work)).rejects.toThrow("unknown field");
  // @ts-expect-error: the options come before the work
  await expect(limiter.run("reports", work, { key: "k" })).rejects.toThrow("before the work");
  const any: RateLimiter<Limits, Timing> = limiter as never;
  expectTypeOf(any.acquire("exports")).toEqualTypeOf<Lease<Timing> | Promise<Lease<Timing>>>();
});
