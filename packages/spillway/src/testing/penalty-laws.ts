/** Conformance cases for penalties: blocks of keys that are refused again and again. */
import { RateLimiter } from "../limiter/index.ts";
import {
  type Limits,
  type Penalty,
  SpillwayError,
  type Store,
  type Timing,
} from "../limits/core/index.ts";
import type { CaseBody, TestedLimiter } from "./cases.ts";
import { expectParts } from "./expect.ts";
import type { ManualClock } from "./manual-clock.ts";

const key = "k";
const SECOND = 1000;
const MINUTE = 60 * SECOND;

const penalty: Penalty = { after: 3, within: "10m", block: "1m", most: "4m" };

/** Limits whose units come back long before a block ends. */
const LIMITS = {
  bucket: { kind: "token bucket", rate: 2, period: "1s", penalty },
  window: { kind: "fixed window", rate: 2, period: "1s", penalty },
  sliding: { kind: "sliding window", rate: 2, period: "1s", penalty },
  log: { kind: "sliding log", rate: 2, period: "1s", penalty },
  queue: { kind: "leaky bucket", rate: 2, period: "1s", penalty },
  slow: { kind: "token bucket", rate: 2, period: "1h", penalty },
  plain: { kind: "token bucket", rate: 2, period: "1s" },
} as const satisfies Limits;

const RATES = ["bucket", "window", "sliding", "log", "queue"] as const;

const LIMITED = { ok: false, reason: "limited" } as const;
const PENALIZED = { ok: false, reason: "penalized" } as const;

type PenaltyCase = (
  limiter: TestedLimiter,
  clock: ManualClock,
  store: Store,
) => void | Promise<void>;

/** Lets a limit refuse a key so many times, for asks that are never admitted. */
async function refuse(limiter: TestedLimiter, limit: string, times: number): Promise<void> {
  for (let left = times; left > 0; left--) await limiter.limit(limit, { key, count: 9 });
}

/** Checks that a key is penalized for so long from now on, and not a millisecond longer. */
async function expectPenalty(
  limiter: TestedLimiter,
  { limit, ms }: { readonly limit: string; readonly ms: number },
  where: string,
): Promise<void> {
  expectParts(await limiter.limit(limit, { key }), { ...PENALIZED, retryAfter: ms }, where);
  expectParts(await limiter.value(limit, { key }), { blockedFor: ms, penalized: true }, where);
}

/** The cases of a store with penalties, by name. */
const CASES: { readonly [name: string]: PenaltyCase } = {
  async "blocks a key at the refusal that is one too many"(limiter, clock) {
    for (const limit of RATES) {
      expectParts(await limiter.limit(limit, { key, count: 2 }), { ok: true }, `${limit}: all`);
      for (const nth of [1, 2]) {
        expectParts(await limiter.limit(limit, { key }), LIMITED, `${limit}: ${nth}`);
      }
      const third = { ...PENALIZED, retryAfter: MINUTE, remaining: 0 };
      expectParts(await limiter.limit(limit, { key }), third, `${limit}: the third`);
      clock.advance(MINUTE - 1);
      await expectPenalty(limiter, { limit, ms: 1 }, `${limit}: until its end`);
      expectParts(await limiter.limit(limit, { key: "other" }), { ok: true }, "no other key");
      clock.advance(1);
      expectParts(await limiter.limit(limit, { key }), { ok: true }, `${limit}: over`);
      const { penalized } = await limiter.value(limit, { key });
      expectParts({ penalized }, { penalized: undefined }, `${limit}: value`);
    }
  },

  async "says how long a key waits for units beyond the end of its block"(limiter, clock) {
    await limiter.limit("slow", { key, count: 2 });
    for (const _ of [1, 2]) await limiter.limit("slow", { key });
    const { retryAfter } = await limiter.limit("slow", { key });
    expectParts({ retryAfter }, { retryAfter: 30 * MINUTE }, "the block is shorter");
    clock.advance(retryAfter - 1);
    expectParts(await limiter.check("slow", { key }), LIMITED, "not sooner");
    clock.advance(1);
    expectParts(await limiter.limit("slow", { key }), { ok: true }, "and not later");
  },

  async "counts refusals of any amount once, and nothing else"(limiter) {
    await limiter.limit("bucket", { key, count: 9 });
    await limiter.check("bucket", { key, count: 9 });
    await limiter.value("bucket", { key });
    await limiter.limit("bucket", { key, count: 2 });
    await limiter.settle("bucket", { key, reserved: 2, used: 2 });
    const second = await limiter.limit("bucket", { key, count: 9 });
    expectParts(second, { ok: false, reason: "too large" }, "the second");
    expectParts(await limiter.check("bucket", { key, count: 9 }), { reason: "too large" }, "check");
    const third = await limiter.limit("bucket", { key, count: 9 });
    expectParts(third, { ...PENALIZED, retryAfter: Number.POSITIVE_INFINITY }, "the third");
    expectParts(
      await limiter.check("bucket", { key }),
      { ...PENALIZED, retryAfter: MINUTE },
      "check",
    );
  },

  async "does not count refusals while a key is blocked"(limiter, clock) {
    await refuse(limiter, "bucket", 9);
    clock.advance(MINUTE - 1);
    await refuse(limiter, "bucket", 9);
    await expectPenalty(limiter, { limit: "bucket", ms: 1 }, "not longer");
    clock.advance(1);
    await refuse(limiter, "bucket", 2);
    expectParts(await limiter.limit("bucket", { key }), { ok: true }, "counted anew");
    await limiter.block("window", { key, for: "1m" });
    await refuse(limiter, "window", 9);
    await limiter.block("window", { key, for: 1 });
    clock.advance(1);
    expectParts(await limiter.limit("window", { key }), { ok: true }, "blocked by hand");
  },

  async "counts refusals within their time, from the first one on"(limiter, clock) {
    await refuse(limiter, "bucket", 1);
    clock.advance(10 * MINUTE - 1);
    await refuse(limiter, "bucket", 1);
    clock.advance(1);
    await refuse(limiter, "bucket", 2);
    expectParts(await limiter.limit("bucket", { key }), { ok: true }, "a new window");
    clock.advance(10 * MINUTE - 1);
    await refuse(limiter, "bucket", 1);
    await expectPenalty(limiter, { limit: "bucket", ms: MINUTE }, "the last millisecond of it");
  },

  async "doubles each block up to the longest, and starts again after that long"(limiter, clock) {
    for (const minutes of [1, 2, 4, 4]) {
      await refuse(limiter, "bucket", 3);
      await expectPenalty(limiter, { limit: "bucket", ms: minutes * MINUTE }, `${minutes} minutes`);
      clock.advance(minutes * MINUTE + 4 * MINUTE - 1);
    }
    await refuse(limiter, "bucket", 3);
    await expectPenalty(limiter, { limit: "bucket", ms: 4 * MINUTE }, "not forgotten");
    clock.advance(8 * MINUTE);
    await refuse(limiter, "bucket", 3);
    await expectPenalty(limiter, { limit: "bucket", ms: MINUTE }, "forgotten");
  },

  async "ends with unblock, which forgets refusals and penalties"(limiter, clock) {
    await refuse(limiter, "bucket", 3);
    clock.advance(MINUTE);
    await refuse(limiter, "bucket", 3);
    await expectPenalty(limiter, { limit: "bucket", ms: 2 * MINUTE }, "the second block");
    await limiter.unblock("bucket", { key });
    expectParts(await limiter.limit("bucket", { key }), { ok: true }, "at once");
    await refuse(limiter, "bucket", 2);
    await limiter.unblock("bucket", { key });
    await refuse(limiter, "bucket", 2);
    expectParts(await limiter.limit("bucket", { key }), { ok: true }, "refusals");
    await refuse(limiter, "bucket", 1);
    await expectPenalty(limiter, { limit: "bucket", ms: MINUTE }, "penalties");
  },

  async "forgets refusals on reset, but neither a block nor penalties"(limiter, clock) {
    await refuse(limiter, "bucket", 2);
    await limiter.reset("bucket", { key });
    await refuse(limiter, "bucket", 2);
    expectParts(await limiter.limit("bucket", { key }), { ok: true }, "refusals");
    await refuse(limiter, "bucket", 1);
    await limiter.reset("bucket", { key });
    await expectPenalty(limiter, { limit: "bucket", ms: MINUTE }, "the block stays");
    clock.advance(MINUTE);
    await limiter.reset("bucket", { key });
    await refuse(limiter, "bucket", 3);
    await expectPenalty(limiter, { limit: "bucket", ms: 2 * MINUTE }, "penalties stay");
  },

  async "gives way to a block by hand, and counts on after it"(limiter, clock) {
    await refuse(limiter, "bucket", 3);
    await limiter.block("bucket", { key, for: "10s" });
    const blocked = { ok: false, reason: "blocked", retryAfter: 10 * SECOND } as const;
    expectParts(await limiter.limit("bucket", { key }), blocked, "shorter");
    const { penalized } = await limiter.value("bucket", { key });
    expectParts({ penalized }, { penalized: undefined }, "value");
    clock.advance(10 * SECOND);
    expectParts(await limiter.limit("bucket", { key }), { ok: true }, "over");
    await refuse(limiter, "bucket", 3);
    await expectPenalty(limiter, { limit: "bucket", ms: 2 * MINUTE }, "the next penalty");
  },

  async "counts, in a joint call, for each budget that refused by itself"(limiter) {
    const asks = [
      { limit: "bucket", key, count: 9 },
      { limit: "window", key },
      { limit: "plain", key, count: 9 },
    ];
    for (const _ of [1, 2]) await limiter.limitAll(asks);
    const { decisions } = await limiter.limitAll(asks);
    const reasons = decisions.map(({ reason }) => reason);
    expectParts(reasons, ["penalized", undefined, "too large"], "the third");
    expectParts(decisions[1] ?? {}, { ok: true, remaining: 2 }, "would have admitted");
    await refuse(limiter, "window", 2);
    expectParts(await limiter.limit("window", { key }), { ok: true }, "counted nothing");
    await refuse(limiter, "plain", 9);
    expectParts(await limiter.limit("plain", { key }), { ok: true }, "has no penalty");
  },

  async "keeps refusals and penalties over changes of the limit"(limiter, clock, store) {
    await refuse(limiter, "bucket", 2);
    const changed = new RateLimiter(
      { bucket: { kind: "fixed window", rate: 1, period: "1m", penalty } } as Limits,
      { store, warn: () => {} },
    );
    await refuse(changed, "bucket", 1);
    expectParts(
      await changed.limit("bucket", { key }),
      { ...PENALIZED, retryAfter: MINUTE },
      "changed",
    );
    await expectPenalty(limiter, { limit: "bucket", ms: MINUTE }, "and back");
    clock.advance(MINUTE);
    if (store.overrides) await limiter.override("bucket", { key, rate: 7, for: "4m" });
    clock.advance(4 * MINUTE - 1);
    await refuse(limiter, "bucket", 3);
    await expectPenalty(limiter, { limit: "bucket", ms: 2 * MINUTE }, "the level");
  },

  async "keeps the level while nobody asks"(limiter, clock, store) {
    const rare: Penalty = { after: 1, within: 1, block: "1d", most: "300d" };
    const limits: Limits = { bucket: { kind: "token bucket", rate: 1, period: 1, penalty: rare } };
    const daily = new RateLimiter(limits, { store, warn: () => {} });
    const DAY = 24 * 60 * MINUTE;
    await refuse(daily, "bucket", 1);
    clock.advance(300 * DAY);
    for (let other = 0; other < 40; other++) await limiter.limit("bucket", { key: `${other}` });
    await refuse(daily, "bucket", 1);
    await expectPenalty(daily, { limit: "bucket", ms: 2 * DAY }, "a day before it is forgotten");
  },

  async "moves with a clock that steps back"(limiter, clock) {
    for (const limit of RATES) {
      await limiter.limit(limit, { key });
      await refuse(limiter, limit, 3);
      clock.advance(-3 * 60 * MINUTE);
      const { blockedFor } = await limiter.value(limit, { key });
      const fits = blockedFor >= MINUTE && blockedFor <= MINUTE + SECOND;
      expectParts({ fits }, { fits: true }, `${limit}: ${blockedFor}`);
      clock.advance(blockedFor + 1);
      const { penalized } = await limiter.value(limit, { key });
      expectParts({ penalized }, { penalized: undefined }, `${limit}: over`);
      clock.advance(4 * MINUTE);
      await refuse(limiter, limit, 3);
      await expectPenalty(limiter, { limit, ms: MINUTE }, `${limit}: forgotten`);
    }
  },
};

/** The cases, by name. A store without penalties is refused by name in each. */
export const penaltyLaws: { readonly [name: string]: CaseBody } = Object.fromEntries(
  Object.entries(CASES).map(([name, body]): [string, CaseBody] => [
    name,
    async (limiter, clock, store) => {
      if (!store.penalties) return isRefusedByName(limiter, store);
      await body(new RateLimiter<Limits, Timing>(LIMITS, { store, warn: () => {} }), clock, store);
    },
  ]),
);

/** Checks that a store without penalties is refused by name if a limit has one, and only then. */
async function isRefusedByName(limiter: TestedLimiter, store: Store): Promise<void> {
  let code = "none";
  try {
    new RateLimiter(LIMITS, { store, warn: () => {} });
  } catch (error) {
    if (error instanceof SpillwayError) code = error.code;
  }
  expectParts({ code }, { code: "no-penalties" }, "a limit with a penalty");
  const config = { kind: "token bucket", rate: 2, period: "1s" } as const;
  expectParts(await limiter.limit("plain", { key, config }), { ok: true }, "without");
}
