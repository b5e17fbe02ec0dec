/** Conformance cases for long and similar texts, many items, and large numbers. */
import { RateLimiter } from "../limiter/index.ts";
import { planFor } from "../limits/algorithms/index.ts";
import {
  type Budget,
  DAY,
  HOUR,
  type Limit,
  type Limits,
  LONGEST,
  MOST_UNITS,
  SpillwayError,
  type State,
  type Store,
  type Timing,
} from "../limits/core/index.ts";
import { asking } from "./asking.ts";
import type { CaseBody } from "./cases.ts";
import { expectEqual, expectParts } from "./expect.ts";

/** A number of items that a store may fail to handle if its author expects only a few. */
const MANY = 300;
const MOST_MS = LONGEST;

/**
 * Texts that all differ. A collation, a normalization, a column or an encoding may treat some as
 * equal.
 */
const ALIKE = [
  ["user", "User", "USER", "uſer"],
  ["a", "a ", " a", "a\t", "a\n", "a\u00a0", "a\u200b", "a\0", "a\0b"],
  ["é", "e\u0301", "e"],
  ["straße", "strasse"],
  ["1", "01", "1.0", "+1", "1e0", "true"],
  ["null", "undefined", "NaN", "", "[object Object]"],
  ["\ud83d\ude00", "\ud83d", "\ude00", "\ufffd", "?"],
  ["a%", "a_", "a*", "a?", "a\\", "a'", 'a"', "a:", "a/", "a{b}"],
  ["constructor", "__proto__", "toString"],
  [31, 32, 33, 63, 64, 65, 127, 128, 129, 199, 200, 201, 254, 255, 256].flatMap((length) => [
    `${"k".repeat(length - 1)}x`,
    `${"k".repeat(length - 1)}y`,
    `x${"k".repeat(length - 1)}`,
  ]),
].flat();

/** Limits with the maximum number of units, one for each way of counting. */
const LARGE: Limits = {
  bucket: { kind: "token bucket", rate: MOST_UNITS, period: "1h" },
  fixed: { kind: "fixed window", rate: MOST_UNITS, period: "1h", start: 0 },
  sliding: { kind: "sliding window", rate: MOST_UNITS, period: "1h", start: 0 },
  log: { kind: "sliding log", rate: MOST_UNITS, period: "1h" },
  flight: { kind: "concurrency", capacity: MOST_UNITS, ttl: "1h" },
};
/**
 * Counts around 8, 16 and 24 bits, ones that a 32-bit float rounds, and one close to `MOST_UNITS`.
 */
const COUNTS = [255, 65_536, 16_777_217, 33_554_431, 900_000_000];

/** The cases, by name. */
export const sizeLaws: { readonly [name: string]: CaseBody } = {
  async "keeps keys apart that look alike, are long, or say nothing"(limiter) {
    for (const key of ALIKE) {
      const { remaining } = await limiter.limit("bucket", { key });
      expectParts({ remaining }, { remaining: 4 }, JSON.stringify(key));
    }
    expectParts(await limiter.limit("bucket"), { remaining: 4 }, "without a key");
  },

  async "keeps limits apart whose names look alike, or are long"(limiter) {
    const config: Limit = { kind: "fixed window", rate: 5, period: "1m", start: 0 };
    for (const name of ALIKE.filter((text) => text !== "" && !/[\0\ud800-\udfff]/u.test(text))) {
      const { remaining } = await limiter.limit(name, { key: "k", config });
      expectParts({ remaining }, { remaining: 4 }, JSON.stringify(name));
    }
  },

  async "keeps many keys"(limiter) {
    const keys = Array.from({ length: MANY }, (_, place) => `${place}`);
    for (const key of keys) await limiter.limit("bucket", { key, count: 3 });
    for (const key of keys)
      expectParts(await limiter.check("bucket", { key }), { remaining: 1 }, `key ${key}`);
  },

  async "keeps many limits of one key"(_limiter, _clock, store) {
    const names = Array.from({ length: 40 }, (_, place) => `limit ${place}`);
    const config: Limit = { kind: "token bucket", rate: 5, period: "1m" };
    const many = new RateLimiter(Object.fromEntries(names.map((name) => [name, config])), {
      store,
    });
    for (const name of names) await many.limit(name, { key: "k", count: 3 });
    for (const name of names)
      expectParts(await many.check(name, { key: "k" }), { remaining: 1 }, name);
  },

  async "keeps each entry of a long log"(_limiter, clock, store) {
    const limits: Limits = { log: { kind: "sliding log", rate: MANY, period: "1h" } };
    const limiter = new RateLimiter(limits, { store });
    for (let taken = 1; taken <= MANY; taken++) {
      expectParts(
        await limiter.limit("log"),
        { ok: true, remaining: MANY - taken },
        `entry ${taken}`,
      );
      clock.advance(1000);
    }
    const wait = HOUR - MANY * 1000;
    expectParts(await limiter.limit("log"), { ok: false, retryAfter: wait }, "one too many");
    const half = { retryAfter: wait + (MANY / 2 - 1) * 1000 };
    expectParts(await limiter.limit("log", { count: MANY / 2 }), half, "half of it");
    clock.advance(wait);
    expectParts(await limiter.limit("log"), { ok: true, remaining: 0 }, "the first is over");
  },

  async "keeps each of many leases of one key"(_limiter, clock, store) {
    const plan = planFor("flight", { kind: "concurrency", capacity: MANY, ttl: "1h" });
    const budget = { plan, key: "k" };
    // Large ids, as in production. They differ in their high bits only, so a store that cuts them
    // to 32 bits fails.
    const idOf = (place: number) => place * 2 ** 40 + 7;
    const ask = (place: number) => ({
      ...budget,
      count: 1,
      reserve: false,
      lease: { id: idOf(place), headroom: 0 },
    });
    for (let place = 0; place < MANY; place++) {
      const answer = await asking(store).limit(ask(place));
      expectParts(answer, { ok: true, remaining: MANY - 1 - place }, `lease ${place}`);
      clock.advance(1000);
    }
    expectParts(await asking(store).limit(ask(MANY)), { ok: false }, "one too many");
    for (let place = 0; place < MANY; place += 7) {
      const held = { id: idOf(place), count: 1 };
      expectParts({ held: await asking(store).renew(budget, held) }, { held: true }, "renewed");
      expectParts(
        { freed: await asking(store).release(budget, held) },
        { freed: true },
        "released",
      );
    }
    const remaining = Math.ceil(MANY / 7);
    expectParts(await asking(store).value(budget), { remaining }, "those that were released");
    clock.advance(HOUR - MANY * 1000 + 1000);
    // The first and the second lease have ended; the first was released before.
    expectParts(await asking(store).value(budget), { remaining: remaining + 1 }, "one is over");
  },

  async "counts as many units as there may be"(_limiter, clock, store) {
    const limiter = new RateLimiter(LARGE, { store });
    for (const limit of Object.keys(LARGE)) {
      for (const count of COUNTS) {
        const key = `${count}`;
        const left = MOST_UNITS - count;
        const taken = await limiter.limitAll([{ limit, key, count }]);
        expectParts(taken, { ok: true, remaining: left }, `${limit}, ${count}`);
        expectParts(await limiter.value(limit, { key }), { remaining: left }, `${limit}, value`);
        const more = await limiter.check(limit, { key, count: left });
        expectParts(more, { ok: true, remaining: 0 }, `${limit}, all that is left of ${count}`);
        const excess = await limiter.check(limit, { key, count: left + 1 });
        expectParts(excess, { ok: false }, `${limit}, one more than is left of ${count}`);
      }
    }
    clock.advance(2 * HOUR);
    for (const limit of Object.keys(LARGE)) {
      for (const count of COUNTS) {
        const value = await limiter.value(limit, { key: `${count}` });
        expectParts(value, { remaining: MOST_UNITS }, `${limit}, ${count}, all of it is over`);
      }
    }
  },

  async "adds up what is taken unit by unit, also beyond a byte"(_limiter, _clock, store) {
    const limiter = new RateLimiter(
      { bucket: { kind: "token bucket", rate: 1000, period: "1h" } },
      { store },
    );
    for (let taken = 1; taken <= 2 * MANY; taken++)
      expectParts(await limiter.limit("bucket"), { remaining: 1000 - taken }, `unit ${taken}`);
  },

  async "blocks for as long as a block may last"(limiter, clock) {
    await limiter.block("bucket", { key: "k", for: "366d" });
    let left = MOST_MS;
    for (const days of [0, 1, 30, 200, 134]) {
      clock.advance(days * DAY);
      left -= days * DAY;
      const where = `${days} days later`;
      const { blockedFor } = await limiter.value("bucket", { key: "k" });
      expectParts({ blockedFor }, { blockedFor: left }, where);
      expectParts(await limiter.check("bucket", { key: "k" }), { retryAfter: left }, where);
    }
    clock.advance(DAY);
    expectParts(await limiter.limit("bucket", { key: "k" }), { ok: true }, "afterwards");
  },

  async "keeps what was used for as long as a period may be"(_limiter, clock, store) {
    const period = "366d";
    const limits: Limits = {
      bucket: { kind: "token bucket", rate: 2, period },
      fixed: { kind: "fixed window", rate: 2, period, start: clock() },
      sliding: { kind: "sliding window", rate: 2, period, start: clock() },
      log: { kind: "sliding log", rate: 2, period },
      flight: { kind: "concurrency", capacity: 2, ttl: period },
    };
    const limiter = new RateLimiter(limits, { store });
    const names = Object.keys(limits);
    const take = (limit: string) => limiter.limitAll([{ limit, count: 2 }]);
    for (const limit of names) expectParts(await take(limit), { ok: true }, limit);
    clock.advance(182 * DAY);
    for (const limit of names) expectParts(await take(limit), { ok: false }, `${limit}, later`);
    clock.advance(183 * DAY);
    for (const limit of names.filter((name) => name !== "bucket"))
      expectParts(await limiter.value(limit), { remaining: 0 }, `${limit}, a day before the end`);
  },

  async "hands out copies of states, which change nothing and do not change"(
    _limiter,
    clock,
    store,
  ) {
    const rest = { key: "k", count: 1, reserve: false };
    const limits: readonly Limit[] = [
      { kind: "token bucket", rate: 5, period: "1m" },
      { kind: "sliding log", rate: 5, period: "1m" },
      { kind: "concurrency", capacity: 5, ttl: "1m" },
    ];
    for (const limit of limits) {
      const plan = planFor(limit.kind, limit);
      const ask = (id: number) => {
        const lease = plan.family.name === "leases" ? { id, headroom: 0 } : undefined;
        return asking(store).limit({ plan, ...rest, lease });
      };
      await ask(1);
      const before = await copied(store, { plan, key: "k" });
      if (before === undefined) return;
      const shown = () => [before.used, before.log?.length, before.leases?.size];
      const seen = shown();
      await ask(2);
      expectEqual(shown(), seen, `${limit.kind}, a copy from before`);
      const state = await copied(store, { plan, key: "k" });
      state?.leases?.remove(1);
      state?.leases?.remove(2);
      state?.log?.dropUntil(clock() + DAY);
      state?.write({ used: 0, since: clock(), previous: 0, unsettled: 0 });
      const value = await asking(store).value({ plan, key: "k" });
      expectParts(value, { remaining: 3 }, `${limit.kind}, after a copy was changed`);
    }
  },
};

/**
 * Returns a copy of a state. Undefined if the store throws a coded error, as a store that returns
 * no states does.
 */
async function copied(store: Store<Timing>, budget: Budget): Promise<State | undefined> {
  try {
    const [copy] = await asking(store).peek([budget]);
    return copy?.state;
  } catch (error) {
    if (error instanceof SpillwayError) return undefined;
    throw error;
  }
}
