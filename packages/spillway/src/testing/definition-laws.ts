/** Conformance cases for several definitions of one limit in use at once. */
import { RateLimiter } from "../limiter/index.ts";
import type { Limit, Limits, TokenBucket } from "../limits/core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import type { CaseBody, TestedLimiter } from "./cases.ts";
import { burst, deployLaws, limitersOf } from "./deploy-laws.ts";
import { expectParts } from "./expect.ts";
import { sampleLimit } from "./sample.ts";
import { seededRandom } from "./seeded-random.ts";
import { admitsNoMoreThanApart, sampleTurns } from "./turns.ts";

const key = "k";
const day = 86_400_000;

/** The cases, by name. */
export const definitionLaws: { readonly [name: string]: CaseBody } = {
  ...deployLaws,

  async "locks nobody out though the definition changes with every ask"(_limiter, clock, store) {
    const limits = [2000, 1000].map((period): Limit => ({ kind: "sliding log", rate: 10, period }));
    const both = limitersOf(store, limits);
    const perPeriod: number[] = [];
    for (let ask = 0; ask < 400; ask++) {
      const { ok } = await (both[ask % 2] as TestedLimiter).limit("it", { key });
      const period = Math.floor(ask / 40);
      perPeriod[period] = (perPeriod[period] ?? 0) + Number(ok);
      clock.advance(50);
    }
    for (const [period, admitted] of perPeriod.entries()) {
      expectParts({ fits: admitted >= 10 }, { fits: true }, `period ${period}: ${admitted}`);
    }
  },

  async "gives a key no refill for changing back and forth"(_limiter, _clock, store) {
    const limits = [100, 200].map((rate): Limit => ({ kind: "token bucket", rate, period: "1h" }));
    const both = limitersOf(store, limits);
    let admitted = 0;
    for (let round = 0; round < 5; round++) {
      for (const limiter of both) admitted += await burst(limiter, 250);
    }
    expectParts({ admitted }, { admitted: 200 }, "in an hour");
  },

  async "counts under every definition what is taken under any"(_limiter, _clock, store) {
    const [before, after] = limitersOf(store, [hourly(10), hourly(20)]) as DefinitionPair;
    await before.limit("it", { key, count: 5 });
    expectParts(await after.value("it", { key }), { remaining: 15 }, "migrated");
    await before.limit("it", { key, count: 3 });
    await after.limit("it", { key, count: 1 });
    expectParts(await before.value("it", { key }), { remaining: 1 }, "before");
    expectParts(await after.value("it", { key }), { remaining: 11 }, "after");
    await after.settle("it", { key, reserved: 1, used: 3 });
    expectParts(await before.limit("it", { key }), { ok: false }, "what was settled counts too");
    await after.settle("it", { key, reserved: 5, used: 0 });
    expectParts(await before.limit("it", { key }), { ok: false }, "what is given back, is it here");
  },

  async "resets, blocks and unblocks a key whatever definition asks"(_limiter, clock, store) {
    const [before, after] = limitersOf(store, [hourly(10), hourly(20)]) as DefinitionPair;
    for (const limiter of [before, after]) await limiter.limit("it", { key, count: 10 });
    await before.block("it", { key, for: 1000 });
    expectParts(await after.limit("it", { key }), { ok: false, reason: "blocked" }, "blocked");
    await after.unblock("it", { key });
    expectParts(await before.value("it", { key }), { blockedFor: 0 }, "unblocked");
    await after.block("it", { key, for: 1000 });
    await after.reset("it", { key });
    expectParts(await before.limit("it", { key }), { ok: false, reason: "blocked" }, "still");
    clock.advance(1000);
    expectParts(await before.value("it", { key }), { remaining: 10 }, "reset, before");
    expectParts(await after.value("it", { key }), { remaining: 20 }, "reset, after");
  },

  async "lends, renews and frees under every definition"(_limiter, clock, store) {
    const [short, long] = limitersOf(store, [
      { kind: "concurrency", capacity: 2, ttl: 100_000 },
      { kind: "concurrency", capacity: 3, ttl: 500_000 },
    ]) as DefinitionPair;
    const first = await short.acquire("it", { key });
    const lease = await long.acquire("it", { key });
    expectParts(await short.acquire("it", { key }), { ok: false, retryAfter: 100_000 }, "lent");
    clock.advance(50_000);
    expectParts({ held: await lease.renew() }, { held: true }, "renewed");
    expectParts({ freed: await first.release() }, { freed: true }, "given back");
    clock.advance(80_000);
    expectParts(await short.acquire("it", { key }), { ok: true, remaining: 0 }, "one is renewed");
    expectParts(await long.value("it", { key }), { remaining: 1 }, "two are in flight");
    clock.advance(40_000);
    expectParts(await short.value("it", { key }), { remaining: 1 }, "over by the shorter time");
    expectParts({ held: await lease.renew() }, { held: true }, "in flight by its own");
    expectParts(await short.value("it", { key }), { remaining: 0 }, "and so by both");
    expectParts({ freed: await lease.release() }, { freed: true }, "given back");
    expectParts(await short.value("it", { key }), { remaining: 1 }, "under both");
  },

  async "frees all units of a lease that another definition could not have lent"(
    _limiter,
    clock,
    store,
  ) {
    const [narrow, wide, bucket] = limitersOf(store, [
      { kind: "concurrency", capacity: 1, ttl: 100_000 },
      { kind: "concurrency", capacity: 5, ttl: 100_000 },
      hourly(50),
    ]) as readonly [TestedLimiter, TestedLimiter, TestedLimiter];
    const first = await narrow.acquire("it", { key });
    const lease = await wide.acquire("it", { key, count: 2 });
    await first.release();
    expectParts(await narrow.value("it", { key }), { remaining: 0 }, "two of one");
    await lease.release();
    expectParts(await narrow.value("it", { key }), { remaining: 1 }, "none of one");
    await wide.acquire("it", { key });
    await bucket.limit("it", { key });
    clock.advance(50_000);
    await bucket.limit("it", { key });
    await wide.acquire("it", { key });
    clock.advance(50_000);
    expectParts(await wide.value("it", { key }), { remaining: 3 }, "each for its own time");
  },

  async "keeps of what others took no more than a definition can hold"(_limiter, clock, store) {
    const [strict, loose] = limitersOf(store, [hourly(1), hourly(1000)]) as DefinitionPair;
    await strict.limit("it", { key });
    await loose.limit("it", { key, count: 900 });
    expectParts(await strict.limit("it", { key }), { retryAfter: 3_600_000 }, "all at once");
    clock.advance(1_800_000);
    await loose.limit("it", { key, count: 500 });
    expectParts(await strict.limit("it", { key }), { retryAfter: 1_800_000 }, "no part of a unit");
  },

  async "keeps of a debt what a definition lets be reserved"(_limiter, _clock, store) {
    const [open, bounded] = limitersOf(store, [
      hourly(10),
      { kind: "token bucket", rate: 10, period: "1h", maxReserved: 3 },
    ]) as DefinitionPair;
    for (const limiter of [open, bounded]) await limiter.limit("it", { key, count: 5 });
    await open.limit("it", { key, count: 2, reserve: true });
    expectParts(await bounded.value("it", { key }), { reserved: 2 }, "the debt");
    await open.limit("it", { key, count: 5, reserve: true });
    expectParts(await open.value("it", { key }), { reserved: 7 }, "more");
    expectParts(await bounded.value("it", { key }), { reserved: 3 }, "as far as it may");
  },

  async "keeps of what others took no more than comes back in a time that is exact"(
    _limiter,
    _clock,
    store,
  ) {
    const [window, bucket] = limitersOf(store, [
      { kind: "fixed window", rate: 1, period: "366d" },
      { kind: "token bucket", rate: 1, period: 1 },
    ]) as DefinitionPair;
    await window.limit("it", { key });
    await bucket.settle("it", { key, reserved: 0, used: 1_000_000_000 });
    const { reserved, resetAfter } = await window.value("it", { key });
    const found = { reserved, isExact: resetAfter <= 2 ** 52 };
    expectParts(found, { reserved: 142_417, isExact: true }, "the debt");
  },

  async "keeps no instant of a clock that went back where nothing is left"(_limiter, clock, store) {
    const [log, bucket] = limitersOf(store, [
      { kind: "sliding log", rate: 6, period: 10_000 },
      { kind: "token bucket", rate: 8, period: 10_000 },
    ]) as DefinitionPair;
    await bucket.limit("it", { key });
    clock.advance(100);
    await log.limit("it", { key, count: 3 });
    clock.advance(5000);
    await log.limit("it", { key });
    clock.advance(-4000);
    await log.settle("it", { key, reserved: 9, used: 0 });
    await bucket.limit("it", { key, count: 2 });
    const refusal = { ok: false, retryAfter: 10_000 };
    expectParts(await log.limit("it", { key, count: 5 }), refusal, "settled");
  },

  async "keeps no instant of a clock that went back where nothing is in flight"(
    _limiter,
    clock,
    store,
  ) {
    const [lent, queue] = limitersOf(store, [
      { kind: "concurrency", capacity: 5, ttl: 50_000 },
      { kind: "leaky bucket", rate: 10, period: 41_402, capacity: 17 },
    ]) as DefinitionPair;
    clock.advance(1000);
    const lease = await lent.acquire("it", { key, count: 2 });
    await queue.limit("it", { key, count: 0 });
    clock.advance(-900);
    await lease.release();
    await queue.limit("it", { key, count: 3 });
    const refusal = { ok: false, retryAfter: 50_000 };
    expectParts(await lent.acquire("it", { key, count: 5 }), refusal, "released");
  },

  async "brings back no lease that was over when another definition was asked"(
    _limiter,
    clock,
    store,
  ) {
    const [short, long] = limitersOf(store, [
      { kind: "concurrency", capacity: 2, ttl: 10_000 },
      { kind: "concurrency", capacity: 2, ttl: 30_000 },
    ]) as DefinitionPair;
    const lease = await short.acquire("it", { key });
    clock.advance(12_000);
    await long.acquire("it", { key });
    clock.advance(8000);
    await long.acquire("it", { key });
    clock.advance(23_000);
    await lease.release();
    clock.advance(-2000);
    expectParts(await long.value("it", { key }), { remaining: 1 }, "a second before its end");
  },

  async "counts what is taken from many keys in one turn"(_limiter, _clock, store) {
    const both = limitersOf(store, [hourly(10), hourly(20)]) as DefinitionPair;
    const keys = ["a", "b", "c", "d"];
    for (const limiter of [both[0], both[1], both[1], both[1]]) {
      await Promise.all(keys.map((one) => limiter.limit("it", { key: one })));
    }
    for (const one of keys) {
      expectParts(await both[0].value("it", { key: one }), { remaining: 6 }, one);
    }
  },

  async "keeps eight definitions at a time"(_limiter, _clock, store) {
    const all = limitersOf(store, [10, 20, 30, 40, 50, 60, 70, 80].map(hourly));
    for (const [place, limiter] of all.entries()) {
      await limiter.limit("it", { key, count: place === 0 ? 4 : 2 });
    }
    const left = [];
    for (const limiter of all) left.push((await limiter.value("it", { key })).remaining);
    expectParts({ left: left.join() }, { left: "0,2,12,22,32,42,52,62" }, "eight");
  },

  async "gives back nothing to a definition that found no place meanwhile"(_limiter, clock, store) {
    const all = limitersOf(store, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100].map(hourly));
    const alone = limitersOf(memoryStore({ clock }), [hourly(100)]);
    const large = all.at(-1) as TestedLimiter;
    const last = alone[0] as TestedLimiter;
    for (let round = 0; round < 4; round++) {
      const expected = { ok: (await last.limit("it", { key, count: 60 })).ok };
      expectParts(await large.limit("it", { key, count: 60 }), expected, `round ${round}`);
      for (const limiter of all) await burst(limiter, 1);
    }
    expectParts(await large.limit("it", { key, count: 40 }), { ok: false }, "what was taken since");
    clock.advance(3_600_000);
    for (const limiter of all)
      expectParts(await limiter.limit("it", { key }), { ok: true }, "rest");
  },

  async "admits what any number of definitions do apart"(_limiter, clock, store) {
    const random = seededRandom(11);
    const limits = Array.from({ length: 12 }, () => sampleLimit(random));
    const turns = sampleTurns(random, { limits: limits.length, steps: 300, longest: 60 });
    await admitsNoMoreThanApart({ store, clock, limits, turns });
  },

  async "takes shards and several limits together under two definitions"(_limiter, _clock, store) {
    const hot = (rate: number) => {
      const limits: Limits = { it: { ...hourly(rate), shards: 3 }, other: hourly(1000) };
      return new RateLimiter(limits, { store, warn: () => {} });
    };
    const [before, after]: DefinitionPair = [hot(30), hot(60)];
    let admitted = 0;
    for (let round = 0; round < 100; round++) {
      const limiter = round % 2 === 0 ? before : after;
      const asks = [{ limit: "it", key }, { limit: "other" }];
      if ((await limiter.limitAll(asks)).ok) admitted++;
    }
    expectParts({ admitted }, { admitted: 60 }, "of 30 and of 60, joint");
    expectParts(await before.value("other"), { remaining: 940 }, "charged together");
    expectParts(await after.value("it", { key }), { remaining: 0 }, "no shard has any left");
  },

  async "is neither freed nor locked when the clock goes back between two definitions"(
    _limiter,
    clock,
    store,
  ) {
    const [before, after] = limitersOf(store, [hourly(10), hourly(20)]) as DefinitionPair;
    await after.limit("it", { key, count: 20 });
    await before.value("it", { key });
    clock.advance(-30 * day);
    for (const limiter of [before, after]) {
      expectParts(await limiter.limit("it", { key }), { ok: false }, "nothing is minted");
    }
    clock.advance(3_600_000);
    for (const limiter of [before, after]) {
      expectParts(await limiter.limit("it", { key }), { ok: true }, "an hour later");
    }
  },
};

type DefinitionPair = readonly [TestedLimiter, TestedLimiter];

function hourly(rate: number): TokenBucket {
  return { kind: "token bucket", rate, period: "1h" };
}
