/** Conformance cases for overrides of single keys. */
import { RateLimiter } from "../limiter/index.ts";
import { type Limits, SpillwayError } from "../limits/core/index.ts";
import type { CaseBody, TestedLimiter } from "./cases.ts";
import { expectParts } from "./expect.ts";

const key = "k";
const HOUR = 3_600_000;

/** The limits of the cases. */
export const OVERRIDE_LIMITS = {
  bucket: { kind: "token bucket", rate: 10, period: "1h" },
  window: { kind: "fixed window", rate: 10, period: "1h" },
  sliding: { kind: "sliding window", rate: 10, period: "1h" },
  log: { kind: "sliding log", rate: 10, period: "1h" },
  queue: { kind: "leaky bucket", rate: 10, period: "1h" },
  jobs: { kind: "concurrency", capacity: 2, ttl: "1h" },
} as const satisfies Limits;

const RATES = ["bucket", "window", "sliding", "log", "queue"] as const;

/** The cases of a store with overrides, by name. */
const CASES: { readonly [name: string]: CaseBody } = {
  async "counts a raised override at once, whatever was used"(limiter) {
    for (const limit of RATES) {
      await limiter.limit(limit, { key, count: 10 });
      expectParts(await limiter.limit(limit, { key }), { ok: false }, `${limit}: full`);
      await limiter.override(limit, { key, rate: 25 });
      const answer = { ok: true, capacity: 25, overridden: true } as const;
      expectParts(await limiter.limit(limit, { key, count: 15 }), answer, `${limit}: raised`);
      expectParts(
        await limiter.limit(limit, { key }),
        { ok: false },
        `${limit}: no more than that`,
      );
      expectParts(await limiter.value(limit, { key: "other" }), { capacity: 10 }, "no other key");
    }
  },

  async "counts a lowered override at once"(limiter) {
    for (const limit of RATES) {
      await limiter.limit(limit, { key, count: 2 });
      await limiter.override(limit, { key, rate: 2 });
      expectParts(await limiter.limit(limit, { key }), { ok: false, capacity: 2 }, limit);
    }
  },

  async "refuses a key without a limit nothing"(limiter) {
    for (const limit of RATES) {
      await limiter.limit(limit, { key, count: 10 });
      await limiter.override(limit, { key, unlimited: true });
      for (const count of [1, 999_000_000]) {
        const answer = { ok: true, limit, retryAfter: 0, overridden: true } as const;
        expectParts(await limiter.limit(limit, { key, count }), answer, `${limit}, ${count}`);
      }
    }
    await limiter.override("jobs", { key, unlimited: true });
    for (let lease = 0; lease < 9; lease++) {
      expectParts(await limiter.acquire("jobs", { key }), { ok: true }, `lease ${lease}`);
    }
  },

  async "ends an override at its instant, and by a call, with no free refill"(limiter, clock) {
    for (const limit of RATES) {
      await limiter.override(limit, { key, rate: 1000, for: 1000 });
      await limiter.limit(limit, { key, count: 500 });
      clock.advance(999);
      expectParts(
        await limiter.value(limit, { key }),
        { overriddenFor: 1 },
        `${limit}: until then`,
      );
      clock.advance(1);
      const after = await limiter.limit(limit, { key });
      expectParts(after, { ok: false, capacity: 10, overridden: undefined }, `${limit}: over`);
      await limiter.override(limit, { key, rate: 1000 });
      await limiter.endOverride(limit, { key });
      expectParts(
        await limiter.limit(limit, { key }),
        { ok: false, capacity: 10 },
        `${limit}: ended`,
      );
    }
  },

  async "says how long a refused call waits beyond the end of an override"(limiter, clock) {
    await limiter.override("bucket", { key, rate: 1, capacity: 20, for: "15m" });
    await limiter.limit("bucket", { key, count: 20 });
    const refusal = await limiter.limit("bucket", { key, count: 10 });
    const { retryAfter } = refusal;
    // The ten that the limit itself could give come back at its own rate, all the time.
    expectParts(refusal, { reason: "limited", retryAfter: HOUR }, "too many until then");
    clock.advance(retryAfter - 1);
    expectParts(await limiter.check("bucket", { key, count: 10 }), { ok: false }, "not sooner");
    clock.advance(1);
    expectParts(await limiter.check("bucket", { key, count: 10 }), { ok: true }, "and not later");
  },

  async "keeps a block, a reset and settlements apart from an override"(limiter, clock) {
    await limiter.override("bucket", { key, rate: 100 });
    await limiter.block("bucket", { key, for: 1000 });
    const blocked = { ok: false, reason: "blocked", capacity: 100 } as const;
    expectParts(await limiter.limit("bucket", { key }), blocked, "a block counts first");
    clock.advance(1000);
    await limiter.limit("bucket", { key, count: 60 });
    await limiter.settle("bucket", { key, reserved: 60, used: 20 });
    expectParts(
      await limiter.value("bucket", { key }),
      { remaining: 80, capacity: 100 },
      "settled",
    );
    await limiter.reset("bucket", { key });
    expectParts(await limiter.value("bucket", { key }), { remaining: 100 }, "reset, not ended");
  },

  async "decides in place of a definition that comes with a call"(limiter) {
    await limiter.override("bucket", { key, rate: 3 });
    const config = { kind: "token bucket", rate: 50, period: "1m" } as const;
    expectParts(
      await limiter.limit("bucket", { key, config, count: 3 }),
      { capacity: 3 },
      "config",
    );
    expectParts(await limiter.limit("bucket", { key, config }), { ok: false }, "all are used");
  },

  async "takes jointly from overridden keys, all or none"(limiter) {
    await limiter.override("bucket", { key, rate: 1 });
    await limiter.override("window", { key, rate: 30 });
    const asks = [
      { limit: "bucket", key },
      { limit: "window", key, count: 20 },
    ];
    expectParts(await limiter.limitAll(asks), { ok: true }, "both have room");
    const second = await limiter.limitAll(asks);
    expectParts(second, { ok: false, limit: "bucket" }, "one refuses");
    expectParts(await limiter.value("window", { key }), { remaining: 10 }, "nothing was taken");
  },

  async "keeps leases over the start and the end of an override"(limiter) {
    const first = await limiter.acquire("jobs", { key });
    await limiter.override("jobs", { key, capacity: 4 });
    const more = [];
    for (let lease = 0; lease < 3; lease++) more.push(await limiter.acquire("jobs", { key }));
    expectParts(more.at(-1) ?? {}, { ok: true, capacity: 4 }, "four in flight");
    expectParts({ renewed: await first.renew() }, { renewed: true }, "renewed");
    await limiter.endOverride("jobs", { key });
    expectParts(await limiter.acquire("jobs", { key }), { ok: false, capacity: 2 }, "too many");
    for (const lease of [first, more[0]]) {
      expectParts({ freed: await lease?.release() }, { freed: true }, "released");
    }
    expectParts(await limiter.acquire("jobs", { key }), { ok: false }, "two are in flight");
    await more[1]?.release();
    expectParts(await limiter.acquire("jobs", { key }), { ok: true }, "one is");
  },

  async "keeps an override over a time in which nobody asks, and over a new definition"(
    limiter,
    clock,
    store,
  ) {
    await limiter.override("bucket", { key, rate: 40, for: "300d" });
    clock.advance(299 * 24 * HOUR);
    const named: Limits = { bucket: { kind: "token bucket", rate: 20, period: "1m" } };
    const later: TestedLimiter = new RateLimiter(named, { store, warn: () => {} });
    const kept = { capacity: 40, overriddenFor: 24 * HOUR };
    expectParts(await later.value("bucket", { key }), kept, "a day before its end");
    clock.advance(24 * HOUR);
    expectParts(await later.value("bucket", { key }), { capacity: 20 }, "at its end");
  },

  async "replaces an override whole"(limiter) {
    await limiter.override("bucket", { key, rate: 40, capacity: 80, for: "1h" });
    await limiter.override("bucket", { key, capacity: 15 });
    const { capacity, overriddenFor = 0 } = await limiter.value("bucket", { key });
    expectParts({ capacity }, { capacity: 15 }, "the capacity");
    const { resetAfter } = await limiter.limit("bucket", { key, count: 10 });
    expectParts({ resetAfter }, { resetAfter: HOUR }, "the limit's own rate");
    expectParts({ isLong: overriddenFor > 99 * 365 * 24 * HOUR }, { isLong: true }, "no end");
  },
};

/** The cases, by name. A store without overrides is refused by name in each. */
export const overrideLaws: { readonly [name: string]: CaseBody } = Object.fromEntries(
  Object.entries(CASES).map(([name, body]): [string, CaseBody] => [
    name,
    (limiter, clock, store) =>
      store.overrides ? body(limiter, clock, store) : isRefusedByName(limiter),
  ]),
);

/** Checks that a store without overrides is refused by name when one is needed, and not before. */
async function isRefusedByName(limiter: TestedLimiter): Promise<void> {
  let code = "none";
  try {
    await limiter.override("bucket", { key, rate: 5 });
  } catch (error) {
    if (error instanceof SpillwayError) code = error.code;
  }
  expectParts({ code }, { code: "no-overrides" }, "override");
  expectParts(await limiter.limit("bucket", { key }), { ok: true, capacity: 10 }, "unchanged");
}
