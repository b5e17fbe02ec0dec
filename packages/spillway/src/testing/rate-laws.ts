import { RateLimiter } from "../limiter/index.ts";
import { type Limit, type Limits, LONGEST, MOST_UNITS } from "../limits/core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import type { CaseBody } from "./cases.ts";
import { expectEqual, expectParts } from "./expect.ts";
import { BUCKET as bucket } from "./rate-limits.ts";

/** Conformance cases for rates, by name. */
export const rateLaws: { readonly [name: string]: CaseBody } = {
  async "keeps keys and limits apart, whatever they are called"(limiter) {
    const keys = ["a", "b", "", "a:b", "__proto__", "\0", "\ud800", "\udfff", "*", "é", "e\u0301"];
    for (const key of keys) {
      const { remaining } = await limiter.limit("bucket", { key });
      expectParts({ remaining }, { remaining: 4 }, JSON.stringify(key));
    }
    const all = await limiter.limit("bucket");
    expectParts(all, { remaining: 4 }, "without a key");
    const config = bucket;
    for (const [name, key] of [
      ["x", "y:z"],
      ["x:y", "z"],
      ["x", "y_z"],
      ["x_y", "z"],
      ["xy", "z"],
      ["x", "yz"],
    ]) {
      const { remaining } = await limiter.limit(name as string, { key: key as string, config });
      expectParts({ remaining }, { remaining: 4 }, `${name} and ${key}`);
    }
  },

  async "asks whether a unit is left with a count of 0"(limiter) {
    expectParts(await limiter.limit("bucket", { count: 0 }), { ok: true, remaining: 5 }, "fresh");
    await limiter.limit("bucket", { count: 5 });
    expectParts(await limiter.limit("bucket", { count: 0 }), { ok: false }, "exhausted");
  },

  async "charges all or none"(limiter) {
    await limiter.limit("other", { count: 2 });
    const asks = [{ limit: "bucket", count: 2 }, { limit: "other", count: 2 }, { limit: "log" }];
    const refused = await limiter.limitAll(asks);
    expectParts(refused, { ok: false, limit: "other" }, "joint");
    expectParts(refused.refused, ["other"], "refused");
    expectParts(await limiter.value("bucket"), { remaining: 5 }, "not charged");
    expectParts(await limiter.value("log"), { remaining: 5 }, "not charged");
    expectParts(await limiter.limitAll(asks.slice(0, 1)), { ok: true, remaining: 3 }, "alone");
  },

  async "charges a budget named twice for both or for neither"(limiter) {
    const twice = (count: number) => [
      { limit: "bucket", count },
      { limit: "bucket", count },
    ];
    expectParts(await limiter.limitAll(twice(3)), { ok: false, retryAfter: Infinity }, "6 of 5");
    expectParts(await limiter.limitAll(twice(2)), { ok: true, remaining: 1 }, "4 of 5");
  },

  async "settles both ways, and a settlement that comes twice only once"(limiter) {
    await limiter.limit("bucket", { count: 4 });
    const down = { reserved: 4, used: 1 };
    expectParts(await limiter.settle("bucket", down), { remaining: 4 }, "down");
    expectParts(await limiter.settle("bucket", down), { remaining: 4 }, "again");
    expectParts(await limiter.settle("bucket", { reserved: 0, used: 9 }), { reserved: 5 }, "up");
    expectParts(await limiter.limit("bucket"), { ok: false, retryAfter: 72_000 }, "in debt");
  },

  async "owes for ever what is settled under a rate of 0"(limiter) {
    const config: Limit = { kind: "fixed window", rate: 0, period: "1m" };
    const value = await limiter.settle("nothing", { config, reserved: 0, used: 3 });
    expectParts(value, { reserved: 3, resetAfter: Infinity }, "nothing comes back");
  },

  async "gives nothing back that a new window has given already"(limiter, clock) {
    await limiter.limit("other", { count: 3 });
    clock.advance(60_000);
    await limiter.settle("other", { reserved: 3, used: 0 });
    expectParts(await limiter.value("other"), { remaining: 3 }, "never above the capacity");
  },

  async "blocks a key for a time, and no other"(limiter, clock) {
    await limiter.block("bucket", { key: "k", for: "10s" });
    const refused = { ok: false, reason: "blocked", retryAfter: 10_000, remaining: 0 } as const;
    expectParts(await limiter.limit("bucket", { key: "k" }), refused, "blocked");
    expectParts(await limiter.value("bucket", { key: "k" }), { blockedFor: 10_000 }, "value");
    expectParts(await limiter.limit("bucket", { key: "l" }), { ok: true }, "another");
    clock.advance(10_000);
    expectParts(await limiter.limit("bucket", { key: "k" }), { ok: true }, "afterwards");
    await limiter.block("bucket", { key: "k", for: "10s" });
    await limiter.block("bucket", { key: "k", for: "5s" });
    expectParts(await limiter.value("bucket", { key: "k" }), { blockedFor: 5000 }, "shorter");
    await limiter.unblock("bucket", { key: "k" });
    expectParts(await limiter.limit("bucket", { key: "k" }), { ok: true }, "lifted");
  },

  async "forgets on reset, but not a block"(limiter) {
    await limiter.limit("bucket", { key: "k", count: 5 });
    await limiter.reset("bucket", { key: "k" });
    expectParts(await limiter.value("bucket", { key: "k" }), { remaining: 5 }, "reset");
    await limiter.block("bucket", { key: "k", for: "10s" });
    await limiter.reset("bucket", { key: "k" });
    expectParts(await limiter.check("bucket", { key: "k" }), { reason: "blocked" }, "still");
  },

  async "settles no further than numbers are exact"(_limiter, clock, store) {
    const limits: Limits = {
      bucket: { kind: "token bucket", rate: 1, period: "366d" },
      window: { kind: "sliding window", rate: 3, period: "366d", start: 0 },
      other: { kind: "fixed window", rate: 1, period: "366d", start: 0 },
    };
    const here = new RateLimiter(limits, { store });
    const there = new RateLimiter(limits, { store: memoryStore({ clock }) });
    for (const limit of Object.keys(limits)) {
      for (const limiter of [here, there]) await limiter.limit(limit);
      clock.advance(LONGEST);
      const most = { reserved: 0, used: MOST_UNITS };
      for (const limiter of [here, there]) await limiter.limit(limit);
      expectEqual(await here.settle(limit, most), there.settle(limit, most), limit);
      const answer = await here.check(limit);
      expectEqual(answer, there.check(limit), limit);
      const { resetAfter } = answer;
      expectParts({ exact: Number.isSafeInteger(clock() + resetAfter) }, { exact: true }, limit);
    }
  },

  async "serves a limit in shards, all of which it shows at once"(_limiter, _clock, store) {
    const limiter = new RateLimiter({ hot: { ...bucket, shards: 3 } }, { store });
    expectParts(await limiter.value("hot"), { remaining: 5, capacity: 5 }, "fresh");
    expectParts(await limiter.limit("hot", { count: 4 }), { ok: true, remaining: 1 }, "4 of 5");
    expectParts(await limiter.limit("hot", { count: 2 }), { ok: false, remaining: 1 }, "2 of 1");
    expectParts(await limiter.limit("hot"), { ok: true }, "the last");
    expectParts(await limiter.value("hot"), { remaining: 0 }, "all are used");
  },

  async "keeps what was used when a limit changes"(limiter, _clock, store) {
    await limiter.limit("bucket", { key: "k", count: 3 });
    const next = (config: Limit) => new RateLimiter({ bucket: config }, { store });
    const wider = next({ ...bucket, capacity: 20 });
    expectParts(await wider.value("bucket", { key: "k" }), { remaining: 17 }, "wider");
    const tighter = next({ kind: "token bucket", rate: 2, period: "1h" });
    expectParts(await tighter.limit("bucket", { key: "k" }), { retryAfter: 1_800_000 }, "tighter");
    const otherKind = next({ kind: "fixed window", rate: 2, period: "1h", start: 0 });
    expectParts(await otherKind.limit("bucket", { key: "k" }), { ok: false }, "another kind");
  },
};
