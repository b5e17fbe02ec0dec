/** What every store has to do, as a list of cases for any test runner. */
import {
  DAY,
  type Limit,
  type Limits,
  MOST_UNITS,
  type Mode,
  type Random,
  type Rate,
  type Store,
} from "../core/index.ts";
import { RateLimiter } from "../limiter/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import type { AnyLimiter, Body, Comparison } from "./cases.ts";
import { clockLaws } from "./clock-laws.ts";
import { compareLeases } from "./compare-leases.ts";
import { compareTurns } from "./compare-turns.ts";
import { definitionLaws } from "./definition-laws.ts";
import { expectEqual, expectParts } from "./expect.ts";
import { LEASE_LIMITS, leaseLaws } from "./lease-laws.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { BUCKET as bucket, RATE_LIMITS } from "./rate-limits.ts";
import {
  sampleAsk,
  sampleFarBack,
  sampleLimit,
  samplePause,
  sampleStepBack,
  whole,
} from "./sample.ts";
import { seededRandom } from "./seeded-random.ts";
import { vectors } from "./vectors.ts";

/** One case: a name, and what to run; it throws or rejects where the store fails. */
export type ConformanceCase = { readonly name: string; readonly run: () => Promise<void> };

/** Opens an empty store that takes its time from the clock given; closed if it is `AsyncDisposable`. */
export type OpenStore = (clock: ManualClock) => Store<Mode> | Promise<Store<Mode>>;

/**
 * The suite that a store's author runs in their own test runner.
 *
 * @param open Opens an empty store; called once a case.
 * @param options.seeds How many random runs beside a memory store. Default: 20.
 * @param options.firstSeed The seed of the first of them; each further one has the next. Default: 0.
 * @example
 * for (const { name, run } of conformance((clock) => myStore({ clock }))) test(name, run);
 */
export function conformance(
  open: OpenStore,
  { seeds = 20, firstSeed = 0 }: { readonly seeds?: number; readonly firstSeed?: number } = {},
): readonly ConformanceCase[] {
  const on = (limits: Limits, body: Body) => async () => {
    const clock = manualClock();
    const store = await open(clock);
    await using _closing = closing(store);
    await body(new RateLimiter(limits, { store, warn: () => {} }), clock, store);
  };
  return [
    ...vectors.map(({ name, limit, rows }) => ({
      name: `answers as worked out by hand: ${name}`,
      run: on({ it: limit }, (limiter, clock) => follow(limiter, clock, rows)),
    })),
    ...Object.entries({ ...laws, ...clockLaws }).map(([name, body]) => ({
      name,
      run: on(RATE_LIMITS, body),
    })),
    ...Object.entries(leaseLaws).map(([name, body]) => ({
      name: `concurrency: ${name}`,
      run: on(LEASE_LIMITS, body),
    })),
    ...Object.entries(definitionLaws).map(([name, body]) => ({
      name: `definitions: ${name}`,
      run: on({}, body),
    })),
    ...Array.from({ length: seeds }, (_, index) => firstSeed + index).flatMap((seed) => [
      { name: `answers as a memory store does, seed ${seed}`, run: comparing(compare, open, seed) },
      {
        name: `lends as a memory store does, seed ${seed}`,
        run: comparing(compareLeases, open, seed),
      },
      {
        name: `answers as a memory store does while definitions take turns, seed ${seed}`,
        run: comparing(compareTurns, open, seed),
      },
    ]),
  ];
}

async function follow(limiter: AnyLimiter, clock: ManualClock, rows: (typeof vectors)[0]["rows"]) {
  const start = clock();
  for (const { at, count = 1, reserve = false, ...answer } of rows) {
    clock.set(start + at);
    const where = `at ${at}, count ${count}`;
    expectParts(await limiter.check("it", { key: "k", count, reserve }), answer, `check ${where}`);
    expectParts(await limiter.limit("it", { key: "k", count, reserve }), answer, `limit ${where}`);
  }
}

const laws: { readonly [name: string]: Body } = {
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
      clock.advance(366 * DAY);
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

/** Runs a comparison of a store with one in memory, by the same clock. */
function comparing(comparison: typeof compare, open: OpenStore, seed: number) {
  return async () => {
    const clock = manualClock();
    const store = await open(clock);
    await using _closing = closing(store);
    await comparison({ store, ours: memoryStore({ clock }), clock, seed });
  };
}

async function compare({ store, ours, clock, seed }: Comparison): Promise<void> {
  const random = seededRandom(seed);
  for (let round = 0; round < 4; round++) {
    // The stores stay and the limits change, in rounds after the first.
    const limits = { a: sampleLimit(random), b: sampleLimit(random) };
    const warn = () => {};
    const named: Limits = limits;
    const here: AnyLimiter = new RateLimiter(named, { store, warn });
    const there = new RateLimiter(named, { store: ours, warn });
    for (let step = 0; step < 60; step++) {
      const where = `seed ${seed}, round ${round}, step ${step}, ${JSON.stringify(limits)}`;
      const call = sampleCall(random, limits);
      expectEqual(await call(here), await call(there as unknown as AnyLimiter), where);
      clock.advance(samplePause(random, limits.a));
      if (step === 30) clock.advance(-sampleStepBack(random, limits));
      if (step === 45) {
        // No state may be so old that one store has forgotten it, and another has not.
        for (const limiter of [here, there as unknown as AnyLimiter]) await touch(limiter);
        clock.advance(-sampleFarBack(random, [Number(limits.a.period), Number(limits.b.period)]));
      }
    }
  }
}

/** Takes what there is, of every key. */
async function touch(limiter: AnyLimiter): Promise<void> {
  for (const limit of ["a", "b"])
    for (const key of ["key 0", "key 1"]) await limiter.limit(limit, { key });
}

type Sampled = { readonly a: Rate; readonly b: Rate };

/** A call on any method, of which any limiter answers the same. */
function sampleCall(random: Random, limits: Sampled): (limiter: AnyLimiter) => unknown {
  const draw = (high: number) => whole(random, { low: 0, high });
  const names = ["a", "b"] as const;
  const limit = names[draw(1)] ?? "a";
  const key = `key ${draw(1)}`;
  const ask = { key, ...sampleAsk(random, limits[limit]) };
  const joint = names.map((name) => ({
    limit: name,
    key,
    ...sampleAsk(random, limits[name]),
  }));
  const settlement = { key, reserved: ask.count, used: draw(5) };
  const wait = draw(4000) + 1;
  const calls: readonly ((limiter: AnyLimiter) => unknown)[] = [
    (limiter) => limiter.check(limit, ask),
    (limiter) => limiter.limitAll(joint),
    (limiter) => limiter.checkAll(joint),
    (limiter) => limiter.settle(limit, settlement),
    (limiter) => limiter.value(limit, { key }),
    (limiter) => (wait % 4 === 0 ? limiter.reset(limit, { key }) : limiter.value(limit, { key })),
    (limiter) =>
      wait % 4 === 0 ? limiter.block(limit, { key, for: wait }) : limiter.limit(limit, ask),
    (limiter) => limiter.unblock(limit, { key }),
  ];
  // Half of all calls take, so that keys meet their limits.
  return calls[draw(2 * calls.length)] ?? ((limiter) => limiter.limit(limit, ask));
}

/** Closes a store that holds a connection when its case is over. */
function closing(store: Store<Mode>): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      await (store as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.();
    },
  };
}
