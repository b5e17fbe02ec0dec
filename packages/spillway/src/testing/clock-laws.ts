/** Conformance cases for clocks that step back, are before 1970, or jump ahead. */
import { RateLimiter } from "../limiter/index.ts";
import { DAY, type Limit } from "../limits/core/index.ts";
import type { CaseBody } from "./cases.ts";
import { expectParts } from "./expect.ts";
import { RATE_LIMITS } from "./rate-limits.ts";

/** The cases, by name. */
export const clockLaws: { readonly [name: string]: CaseBody } = {
  async "mints nothing when the clock goes back, and locks nobody out"(limiter, clock) {
    for (const limit of Object.keys(RATE_LIMITS)) {
      await limiter.limit(limit, { count: (await limiter.value(limit)).capacity });
      clock.advance(-1000);
      expectParts(await limiter.limit(limit), { ok: false }, `${limit}, a second back`);
      clock.advance(-1_000_000_000);
      expectParts(await limiter.limit(limit), { ok: false }, `${limit}, days back`);
      clock.advance(120_000);
      expectParts(await limiter.limit(limit), { ok: true }, `${limit}, soon after`);
      clock.advance(1_000_000_000);
    }
  },

  async "brings nothing back for a clock that goes back by any number of periods"(limiter, clock) {
    // The distances that the clock goes back, in periods of one minute. They end at different
    // points of a window, where the previous window has faded to different degrees.
    for (const back of [1, 1.01, 1.5, 1.99, 2, 7.25]) {
      for (const limit of Object.keys(RATE_LIMITS)) {
        const key = `${back}`;
        await limiter.limit(limit, { key, count: 3 });
        clock.advance(90_000);
        await limiter.limit(limit, { key });
        const { remaining } = await limiter.value(limit, { key });
        clock.advance(-60_000 * back);
        const after = await limiter.value(limit, { key });
        const fits = after.remaining <= remaining;
        expectParts({ fits }, { fits: true }, `${limit}, ${back} periods back`);
        const late = after.resetAfter > 180_000;
        expectParts({ late }, { late: false }, `${limit}, ${back} periods back`);
      }
    }
  },

  async "ends no block for a clock that goes back, and none much later than was said"(
    limiter,
    clock,
  ) {
    for (const back of [0.5, 1, 1.01, 1.99, 2, 7.25]) {
      for (const limit of Object.keys(RATE_LIMITS)) {
        const key = `${back}`;
        clock.advance(1000);
        await limiter.limit(limit, { key });
        await limiter.block(limit, { key, for: "30s" });
        for (let step = 0; step < 3; step++) {
          clock.advance(-60_000 * back);
          const { blockedFor } = await limiter.value(limit, { key });
          const fits = blockedFor >= 30_000 && blockedFor < 150_000;
          expectParts({ fits }, { fits: true }, `${limit}, ${back} periods back: ${blockedFor}`);
        }
      }
    }
  },

  async "forgets a block that is over when the key is reset"(limiter, clock) {
    for (const limit of Object.keys(RATE_LIMITS)) {
      await limiter.limit(limit);
      await limiter.block(limit, { for: "10s" });
      clock.advance(20_000);
      await limiter.reset(limit);
      await limiter.limit(limit);
      clock.advance(-15_000);
      expectParts(await limiter.value(limit), { blockedFor: 0 }, limit);
    }
  },

  async "blocks for no longer than was said, whatever the clock does"(limiter, clock) {
    for (const limit of Object.keys(RATE_LIMITS)) {
      await limiter.limit(limit);
      clock.advance(30 * DAY);
      await limiter.block(limit, { for: "5m" });
      clock.advance(-60 * DAY);
      const { blockedFor } = await limiter.value(limit);
      // A window may begin up to one period before the instant of the block.
      expectParts({ fits: blockedFor <= 360_000 }, { fits: true }, `${limit}: ${blockedFor}`);
      expectParts({ lasts: blockedFor >= 300_000 }, { lasts: true }, `${limit}: ${blockedFor}`);
      clock.advance(60 * DAY);
      await limiter.unblock(limit);
    }
  },

  async "counts from 1970 while the clock is before it"(limiter, clock) {
    // The windows of `early` begin before 1970; those of the other limits begin with it.
    const early: Limit = { kind: "sliding window", rate: 5, period: "366d", start: 1 };
    for (const limit of [...Object.keys(RATE_LIMITS), "early"]) {
      const ask = limit === "early" ? { config: early } : {};
      clock.set(-1000);
      const { ok, capacity } = await limiter.limit(limit, ask);
      expectParts({ ok }, { ok: true }, `${limit}, before 1970`);
      clock.set(-2000);
      const rest = { ...ask, count: capacity - 1 };
      expectParts(await limiter.limit(limit, rest), { ok: true, remaining: 0 }, limit);
      expectParts(await limiter.limit(limit, ask), { ok: false, reason: "limited" }, limit);
      clock.set(10);
      expectParts(await limiter.limit(limit, ask), { ok: false, reason: "limited" }, limit);
    }
  },

  async "weighs the window before in full while the clock is before this one"(limiter, clock) {
    await limiter.limit("window", { count: 3 });
    clock.advance(90_000);
    await limiter.limit("window");
    clock.advance(-40_000);
    expectParts(await limiter.limit("window"), { ok: true, remaining: 0 }, "3 + 1 + 1 of 5");
    expectParts(await limiter.limit("window"), { ok: false }, "no more");
  },

  async "forgets no window before, where this one has nothing"(limiter, clock) {
    await limiter.limit("window", { count: 3 });
    clock.advance(90_000);
    await limiter.limit("window");
    await limiter.settle("window", { reserved: 1, used: 0 });
    clock.advance(-40_000);
    expectParts(await limiter.limit("window", { count: 3 }), { ok: false, remaining: 2 }, "3 + 3");
  },

  async "lets time stand still for a limit that changes while the clock is back"(
    limiter,
    clock,
    store,
  ) {
    await limiter.limit("bucket", { count: 5 });
    clock.advance(-6000);
    const config: Limit = { kind: "token bucket", rate: 10, period: "1m" };
    const wider = new RateLimiter({ bucket: config }, { store });
    const refused = { ok: false, remaining: 5, retryAfter: 12_000 };
    expectParts(await wider.limit("bucket", { count: 6 }), refused, "as of the instant before");
  },

  async "lends what a rate has counted for no longer than two ttl, after the clock went back far"(
    limiter,
    clock,
    store,
  ) {
    const ttl = 5000;
    const config: Limit = { kind: "concurrency", capacity: 3, ttl };
    for (const limit of Object.keys(RATE_LIMITS)) {
      await limiter.limit(limit, { count: 3 });
      clock.advance(-400_000);
      const lent = new RateLimiter({ [limit]: config }, { store });
      const { ok, remaining, retryAfter } = await lent.check(limit);
      expectParts({ ok, remaining }, { ok: false, remaining: 0 }, `${limit}, all is in flight`);
      const isBounded = retryAfter >= 1 && retryAfter <= 2 * ttl;
      expectParts({ isBounded }, { isBounded: true }, `${limit}, waits ${retryAfter}`);
      clock.advance(retryAfter - 1);
      expectParts(await lent.check(limit), { ok: false }, `${limit}, a millisecond early`);
      clock.advance(1);
      expectParts(await lent.check(limit), { ok: true }, `${limit}, over`);
      clock.advance(400_000);
    }
  },
};
