/** Conformance cases for leases. */
import { RateLimiter } from "../limiter/index.ts";
import { planFor } from "../limits/algorithms/index.ts";
import { DAY, type Limits } from "../limits/core/index.ts";
import { asking } from "./asking.ts";
import type { CaseBody } from "./cases.ts";
import { expectParts } from "./expect.ts";

/** The limits that these cases use. */
export const LEASE_LIMITS = {
  reports: { kind: "concurrency", capacity: 3, ttl: "1m" },
  other: { kind: "concurrency", capacity: 1, ttl: "10s" },
  calls: { kind: "token bucket", rate: 2, period: "1m" },
} satisfies Limits;

const key = "k";

/** The cases, by name. */
export const leaseLaws: { readonly [name: string]: CaseBody } = {
  async "lends as many units as there are, and again what was given back"(limiter) {
    const first = await limiter.acquire("reports", { key });
    expectParts(first, { ok: true, remaining: 2, capacity: 3, resetAfter: 60_000 }, "first");
    const two = await limiter.acquire("reports", { key, count: 2 });
    expectParts(two, { ok: true, remaining: 0 }, "two more");
    const refused = await limiter.acquire("reports", { key });
    expectParts(refused, { ok: false, reason: "limited", retryAfter: 60_000 }, "a fourth");
    expectParts({ freed: await two.release() }, { freed: true }, "given back");
    expectParts(await limiter.acquire("reports", { key, count: 2 }), { ok: true }, "again");
    expectParts(await limiter.acquire("reports", { key: "l" }), { remaining: 2 }, "another key");
    expectParts(await limiter.acquire("reports"), { remaining: 2 }, "no key");
  },

  async "frees nothing by a lease that is given back twice, or was refused"(limiter) {
    const one = await limiter.acquire("other", { key });
    const refused = await limiter.acquire("other", { key });
    expectParts({ freed: await refused.release() }, { freed: false }, "refused");
    expectParts({ freed: await one.release() }, { freed: true }, "once");
    await limiter.acquire("other", { key });
    expectParts({ freed: await one.release() }, { freed: true }, "as it was answered before");
    expectParts({ held: await one.renew() }, { held: false }, "renewed after that");
    expectParts(await limiter.acquire("other", { key }), { ok: false }, "somebody else's is held");
  },

  async "frees nothing by an id or a count that is somebody else's"(_limiter, _clock, store) {
    const budget = { plan: planFor("other", LEASE_LIMITS.other), key };
    const ask = { ...budget, count: 1, reserve: false, lease: { id: 7, headroom: 0 } };
    expectParts(await asking(store).limit(ask), { ok: true }, "taken");
    for (const held of [
      { id: 8, count: 1 },
      { id: 7, count: 0 },
    ]) {
      expectParts(
        { freed: await asking(store).release(budget, held) },
        { freed: false },
        "release",
      );
      expectParts({ held: await asking(store).renew(budget, held) }, { held: false }, "renew");
    }
    expectParts(
      await asking(store).limit({ ...ask, lease: { id: 9, headroom: 0 } }),
      { ok: false },
      "held",
    );
    expectParts(
      { freed: await asking(store).release(budget, { id: 7, count: 1 }) },
      { freed: true },
      "own",
    );
  },

  async "forgets a lease that nobody renews, and not one that is renewed"(limiter, clock) {
    const dies = await limiter.acquire("reports", { key });
    const lives = await limiter.acquire("reports", { key });
    clock.advance(40_000);
    expectParts({ held: await lives.renew() }, { held: true }, "renewed in time");
    clock.advance(19_999);
    const refused = await limiter.acquire("reports", { key, count: 2 });
    expectParts(refused, { ok: false, retryAfter: 1, remaining: 1 }, "a millisecond before");
    clock.advance(1);
    expectParts(await limiter.value("reports", { key }), { remaining: 2 }, "one is forgotten");
    expectParts({ held: await dies.renew() }, { held: false }, "too late to renew");
    expectParts({ freed: await dies.release() }, { freed: false }, "too late to give back");
    expectParts(await limiter.acquire("reports", { key, count: 2 }), { ok: true }, "in its place");
    clock.advance(40_000);
    expectParts(await limiter.value("reports", { key }), { remaining: 1 }, "the renewed one too");
  },

  async "takes leases and units together, or neither"(limiter) {
    const both = [
      { limit: "calls", key },
      { limit: "other", key },
    ];
    const first = await limiter.limitAll(both);
    expectParts(first, { ok: true }, "first");
    const busy = await limiter.limitAll(both);
    expectParts(busy, { ok: false, limit: "other", lease: undefined }, "in flight");
    expectParts(await limiter.value("calls", { key }), { remaining: 1 }, "not charged");
    await first.lease?.release();
    expectParts(await limiter.checkAll(both), { ok: true }, "both are there");
    await (await limiter.limitAll(both)).lease?.release();
    expectParts(await limiter.limitAll(both), { ok: false, limit: "calls" }, "no calls left");
    expectParts(await limiter.value("other", { key }), { remaining: 1 }, "nothing is in flight");
  },

  async "leaves units for asks that matter more"(limiter) {
    const headroom = 1;
    const first = await limiter.acquire("reports", { headroom });
    expectParts(first, { ok: true, remaining: 2 }, "first");
    expectParts(await limiter.acquire("reports", { headroom }), { ok: true }, "second");
    const refused = await limiter.acquire("reports", { headroom });
    expectParts(refused, { ok: false, remaining: 1, retryAfter: 60_000 }, "the last is kept");
    expectParts(await limiter.acquire("reports", {}), { ok: true, remaining: 0 }, "for this one");
    const never = await limiter.acquire("reports", { headroom: 3 });
    expectParts(never, { ok: false, reason: "too large", retryAfter: Infinity }, "never");
  },

  async "forgets leases on reset, refuses while blocked"(limiter) {
    const lease = await limiter.acquire("other", { key });
    await limiter.reset("other", { key });
    const next = await limiter.acquire("other", { key });
    expectParts(next, { ok: true }, "reset");
    expectParts({ freed: await lease.release() }, { freed: false }, "forgotten");
    await limiter.block("other", { key, for: "1m" });
    expectParts({ held: await next.renew() }, { held: true }, "what is in flight goes on");
    expectParts({ freed: await next.release() }, { freed: true }, "and ends");
    const refused = await limiter.acquire("other", { key });
    expectParts(refused, { ok: false, reason: "blocked", retryAfter: 60_000 }, "blocked");
  },

  async "ends leases when they would, though the key is blocked meanwhile"(limiter, clock) {
    await limiter.acquire("reports", { key });
    clock.advance(50_000);
    await limiter.block("reports", { key, for: "2s" });
    expectParts(await limiter.value("reports", { key }), { resetAfter: 10_000 }, "blocked");
    clock.advance(2000);
    expectParts(await limiter.check("reports", { key }), { ok: true, resetAfter: 60_000 }, "after");
    await limiter.unblock("reports", { key });
    const refused = await limiter.acquire("reports", { key, count: 3 });
    expectParts(refused, { ok: false, retryAfter: 8000, resetAfter: 8000 }, "until it is over");
    clock.advance(8000);
    const { remaining, resetAfter } = await limiter.value("reports", { key });
    expectParts({ remaining, resetAfter }, { remaining: 3, resetAfter: 0 }, "over");
  },

  async "blocks for as long as was said where nothing is in flight, whatever the clock does"(
    limiter,
    clock,
  ) {
    await (await limiter.acquire("other", { key })).release();
    clock.advance(30 * DAY);
    await limiter.block("other", { key, for: "5m" });
    clock.advance(-60 * DAY);
    const { blockedFor } = await limiter.value("other", { key });
    expectParts({ blockedFor }, { blockedFor: 300_000 }, "days back");
  },

  async "keeps what is in flight when the limit changes"(limiter, clock, store) {
    const leases = [await limiter.acquire("reports"), await limiter.acquire("reports")];
    const narrow = { kind: "concurrency", capacity: 1, ttl: "10s" } as const;
    const changed = new RateLimiter({ reports: narrow }, { store });
    expectParts(await changed.acquire("reports"), { ok: false, retryAfter: 10_000 }, "narrower");
    expectParts({ freed: await leases[0]?.release() }, { freed: true }, "the first ends");
    expectParts(await changed.acquire("reports"), { ok: false, remaining: 0 }, "one is left");
    clock.advance(10_000);
    expectParts(await changed.acquire("reports"), { ok: true }, "by the new ttl");
  },

  async "is neither freed nor stuck when the clock goes back"(limiter, clock) {
    const lease = await limiter.acquire("other", { key });
    clock.advance(-5000);
    expectParts(await limiter.acquire("other", { key }), { ok: false }, "some seconds back");
    clock.advance(-1_000_000_000);
    expectParts(await limiter.acquire("other", { key }), { retryAfter: 10_000 }, "days back");
    expectParts({ held: await lease.renew() }, { held: true }, "renewed");
    clock.advance(10_000);
    expectParts(await limiter.acquire("other", { key }), { ok: true }, "soon after");
  },
};
