/** What a process does with units that a store lends it, beside law 1, which is in `laws/lent.test.ts`. */
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Command, Decision, Limit, Store } from "../../../src/limits/core/index.ts";
import { lent, type StoreEvent } from "../../../src/stores/index.ts";
import { Holder } from "../../../src/stores/lending/holder.ts";
import { KeyDemand } from "../../../src/stores/lending/key-demand.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { lentLimits } from "../../laws/lent-limits.ts";
import { runs } from "../../runs.ts";

const BUCKET = {
  kind: "token bucket",
  rate: 100,
  period: 1000,
  capacity: 1000,
  share: "10s",
} as const;
const WINDOW = { kind: "fixed window", rate: 100, period: 60_000, share: "10s" } as const;
const PLAIN = { kind: "token bucket", rate: 1, period: 60_000, capacity: 1 } as const;

/** A store, and a process that is lent units of it; time passes by hand. */
function place({ maxKeys }: { readonly maxKeys?: number } = {}) {
  const clock = manualClock();
  const inside = { store: memoryStore({ clock }) as Store<"now">, isAway: false };
  const commands: Command[] = [];
  const events: StoreEvent[] = [];
  const warnings: string[] = [];
  const timers: { readonly at: number; readonly call: () => void }[] = [];
  const raw: Store<"now"> = {
    timing: "now",
    execute(command) {
      commands.push(command);
      if (inside.isAway) throw new Error("away");
      return inside.store.execute(command);
    },
  };
  const store = lent(raw, {
    maxKeys,
    clock,
    scheduler: {
      elapsed: clock,
      afterDelay: (ms, call) => timers.push({ at: clock() + ms, call }),
    },
    onEvent: (event) => events.push(event),
    warn: (message) => warnings.push(message),
  });
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 1000) {
      clock.advance(Math.min(1000, left));
      const due = timers.filter(({ at }) => at <= clock());
      timers.splice(0, timers.length, ...timers.filter(({ at }) => at > clock()));
      for (const { call } of due) call();
    }
  };
  const limiter = new RateLimiter({ bucket: BUCKET, window: WINDOW, plain: PLAIN }, { store });
  const elsewhere = new RateLimiter(
    { bucket: BUCKET, window: WINDOW, plain: PLAIN },
    { store: raw },
  );
  const take = (count: number) => {
    for (let left = count; left > 0; left--) limiter.limit("bucket", { key: "k" });
  };
  const held = () => store.lending?.numbers().held ?? 0;
  return {
    clock,
    inside,
    commands,
    events,
    warnings,
    timers,
    store,
    pass,
    limiter,
    elsewhere,
    take,
    held,
  };
}

describe("asks", () => {
  test("on a key that is met once are one plain call each, and nothing is held", () => {
    const { limiter, commands, held } = place();
    for (let key = 0; key < 50; key++) limiter.limit("bucket", { key: `${key}` });
    expect(commands.map(({ verb }) => verb)).toEqual(Array(50).fill("limit"));
    expect(held()).toBe(0);
  });

  test("on a hot key are answered here, but for a few in a hundred", () => {
    const { limiter, commands, pass } = place();
    let admitted = 0;
    for (let second = 0; second < 20; second++) {
      for (let ask = 0; ask < 90; ask++) if (limiter.limit("bucket", { key: "k" }).ok) admitted++;
      pass(1000);
    }
    expect(admitted).toBe(20 * 90);
    expect(commands.length).toBeLessThan(0.04 * admitted);
  });

  test("have units drawn for later of the same budget: with its settings, and with whose windows its own begin", () => {
    const { store, commands } = place();
    const settings = { whenUnavailable: "open", shards: 1 } as const;
    const whose = { settings, alignedWith: { limit: "another", key: "k" } };
    const ask = { plan: planFor("window", WINDOW), key: "k", count: 1, reserve: false, ...whose };
    for (let left = 30; left > 0; left--) store.limit?.(ask);
    const draws = commands.filter(({ verb }) => verb === "draw");
    expect(draws.length).toBeGreaterThan(1);
    for (const { budgets } of draws) expect(budgets[0]).toMatchObject(whose);
  });

  test("for more than the limit are refused here between calls, and none is admitted too many", () => {
    const { limiter, commands, pass } = place();
    let admitted = 0;
    for (let step = 0; step < 2000; step++) {
      for (let ask = 0; ask < 10; ask++) if (limiter.limit("bucket", { key: "k" }).ok) admitted++;
      pass(10);
    }
    const ideal = 1000 + 100 * 20;
    expect(admitted).toBeLessThanOrEqual(ideal);
    expect(admitted).toBeGreaterThan(0.98 * ideal);
    expect(commands.length).toBeLessThan(0.05 * 20_000);
  });

  test("for far more than the limit go to the store once in 5 ms at most, and what it has is used", () => {
    const { limiter, commands, pass } = place();
    const admitted = { count: 0 };
    const askThousands = () => {
      for (let ask = 0; ask < 200; ask++)
        if (limiter.limit("bucket", { key: "k" }).ok) admitted.count++;
    };
    for (let step = 0; step < 100; step++) askThousands();
    const calls = commands.length;
    for (let step = 0; step < 1000; step++) {
      pass(1);
      askThousands();
    }
    expect(commands.length - calls).toBeLessThanOrEqual(200);
    expect(admitted.count).toBeGreaterThan(1000 + 95);
    expect(admitted.count).toBeLessThanOrEqual(1000 + 100);
  });

  // What was used and is not reported can't refill; nor can what a full bucket has no room for.
  test.each([
    [1000, { steps: 2000, part: 0.99 }],
    [100, { steps: 4000, part: 0.98 }],
  ])(
    "on a rested key for a tenth more than %d a second get nearly all that it refills",
    (rate, { steps, part }) => {
      const { limiter, pass } = place();
      const config = { kind: "token bucket", rate, period: 1000, share: "10s" } as const;
      let admitted = 0;
      for (let step = 0; step < steps; step++) {
        for (let ask = 0; ask < 11; ask++)
          if (limiter.limit("inline", { key: "k", config }).ok) admitted++;
        pass(10_000 / rate);
      }
      expect(admitted).toBeLessThanOrEqual(rate + 10 * steps);
      expect(admitted).toBeGreaterThan(part * (rate + 10 * steps));
    },
  );

  test("for more than is held are answered by the store with that, in one call", () => {
    const { limiter, take, held, commands } = place();
    take(30);
    const before = commands.length;
    expect(held()).toBeGreaterThan(0);
    const left = limiter.value("bucket", { key: "k" }).remaining;
    expect(limiter.limit("bucket", { key: "k", count: left })).toMatchObject({
      ok: true,
      remaining: 0,
    });
    expect(commands.length).toBe(before + 2);
    expect(limiter.limit("bucket", { key: "k", count: 1001 })).toMatchObject({
      reason: "too large",
    });
  });

  test("count down one by one, whoever decides", () => {
    const { limiter } = place();
    for (let left = 999; left >= 0; left--) {
      expect(limiter.limit("bucket", { key: "k" })).toMatchObject({ ok: true, remaining: left });
    }
    expect(limiter.limit("bucket", { key: "k" })).toMatchObject({ ok: false, remaining: 0 });
  });

  test("spend exactly the capacity again after a rest, however long the store had too little before", () => {
    const { limiter, clock, commands, pass } = place();
    const ask = () => limiter.limit("bucket", { key: "k" });
    // Twice as many as are admitted: the store goes on having too little.
    for (let asks = 0; asks < 3000; asks++, clock.advance(5)) ask();
    const before = commands.length;
    for (let asks = 0; asks < 1000; asks++, clock.advance(5)) ask();
    expect(commands.length - before).toBeLessThan(40);
    pass(25_000);
    for (let left = 999; left >= 0; left--)
      expect(ask()).toMatchObject({ ok: true, remaining: left });
    expect(ask()).toMatchObject({ ok: false, remaining: 0 });
  });

  test("with a count of 0 take nothing, and ask whether a unit is there", () => {
    const { limiter, take } = place();
    take(10);
    expect(limiter.limit("bucket", { key: "k", count: 0 })).toMatchObject({
      ok: true,
      remaining: 990,
    });
    expect(limiter.limit("bucket", { key: "k", count: 990 }).ok).toBe(true);
    expect(limiter.limit("bucket", { key: "k", count: 0 }).ok).toBe(false);
  });
});

test.each([
  ["at the end", (limiter: { giveBack(): Promise<unknown> }) => limiter.giveBack()],
  [
    "when nobody asks for them",
    async (_: unknown, check: () => Promise<void>) => {
      for (let checks = 0; checks < 4; checks++) await check();
    },
  ],
])("what is held of many keys goes back some at a time: %s", async (_, end) => {
  const clock = manualClock();
  const base = memoryStore({ clock });
  const seen = { inFlight: 0, most: 0 };
  const raw: Store<"later"> = {
    timing: "later",
    async execute(command) {
      seen.most = Math.max(seen.most, ++seen.inFlight);
      await undefined;
      seen.inFlight--;
      return base.execute(command);
    },
  };
  let timers: (() => void)[] = [];
  const afterDelay = (_: number, call: () => void) => timers.push(call);
  const store = lent(raw, { clock, scheduler: { elapsed: clock, afterDelay } });
  const limiter = new RateLimiter({ bucket: BUCKET }, { store });
  const check = async () => {
    const due = timers;
    timers = [];
    clock.advance(1000);
    for (const call of due) call();
    while (seen.inFlight > 0) await turn();
  };
  const keys = Array.from({ length: 2000 }, (_, index) => `k${index}`);
  for (const key of keys)
    for (let asks = 0; asks < 3; asks++) await limiter.limit("bucket", { key });
  expect(store.lending?.numbers().held).toBeGreaterThan(2000);
  await end(limiter, check);
  expect(store.lending?.numbers().held).toBe(0);
  expect(seen.most).toBeLessThanOrEqual(256);
  const elsewhere = new RateLimiter({ bucket: BUCKET }, { store: raw });
  for (const key of keys) {
    const { remaining } = await elsewhere.value("bucket", { key });
    expect(remaining).toBeGreaterThanOrEqual(997);
  }
});

test("while a store that was short is asked again, others are refused without waiting for it", async () => {
  const clock = manualClock();
  const base = memoryStore({ clock });
  const pending: (() => void)[] = [];
  const raw: Store<"later"> = {
    timing: "later",
    execute: (command) =>
      new Promise((resolve) => pending.push(() => resolve(base.execute(command)))),
  };
  const store = lent(raw, { clock, scheduler: { elapsed: clock, afterDelay: () => {} } });
  const limiter = new RateLimiter({ bucket: BUCKET }, { store });
  const answers: Decision[] = [];
  const askMany = async () => {
    for (let asks = 0; asks < 100; asks++)
      limiter.limit("bucket", { key: "k" }).then((one) => answers.push(one));
    for (let turn = 0; turn < 20; turn++) await undefined;
  };
  while (answers.every(({ ok }) => ok)) {
    await askMany();
    for (; pending.length > 0; await askMany()) pending.shift()?.();
  }
  clock.advance(5);
  answers.length = 0;
  await askMany();
  // One waits for the store, which has not answered yet.
  expect(pending).toHaveLength(1);
  expect(answers).toHaveLength(99);
  expect(answers.at(-1)).toMatchObject({ ok: false, reason: "limited", retryAfter: 995 });
});

test("settle waits for a draw that is under way, which a store may carry out after it", async () => {
  const clock = manualClock();
  const base = memoryStore({ clock });
  const draws: (() => void)[] = [];
  const raw: Store<"later"> = {
    timing: "later",
    async execute(command) {
      if (command.verb === "draw") await new Promise<void>((resolve) => draws.push(resolve));
      return base.execute(command);
    },
  };
  const store = lent(raw, { clock, scheduler: { elapsed: clock, afterDelay: () => {} } });
  const limiter = new RateLimiter({ bucket: BUCKET }, { store });
  const ask = () => limiter.limit("bucket", { key: "k" });
  await ask();
  let used = 1;
  // Those of a draw that nobody waits for are admitted of what is held.
  for (; used < 50; used++) {
    const asked = ask();
    await turn();
    if (used < 20) for (const answer of draws.splice(0)) answer();
    await asked;
    if (used >= 20 && draws.length > 0) break;
  }
  const settled = limiter.settle("bucket", { key: "k", reserved: used + 1, used: 0 });
  while ((await Promise.race([settled, turn("under way")])) === "under way")
    for (const answer of draws.splice(0)) answer();
  expect((await settled).remaining).toBe(1000);
});

test("a refusal says no wait that is too short, if nobody gives back or takes since the store was asked", () => {
  const asks = fc.array(
    fc.record({
      who: fc.nat({ max: 1 }),
      count: fc.integer({ min: 1, max: 4 }),
      ms: fc.nat({ max: 300 }),
    }),
    { minLength: 20, maxLength: 80 },
  );
  fc.assert(
    fc.property(lentLimits, asks, (limit: Limit, schedule) => {
      const clock = manualClock();
      const base = memoryStore({ clock });
      const raw: Store<"now"> = { timing: "now", execute: (command) => base.execute(command) };
      const scheduler = { elapsed: clock, afterDelay: () => {} };
      const limiters = [0, 1].map(
        () =>
          new RateLimiter({ it: limit } as { it: typeof BUCKET }, {
            store: lent(raw, { clock, scheduler }),
            warn: () => {},
          }),
      );
      let last = 0;
      for (const { who, count, ms } of schedule) {
        // By then it asks the store again, whatever it was answered before.
        if (who !== last) clock.advance(500);
        last = who;
        const limiter = limiters[who] as (typeof limiters)[0];
        const checked = limiter.check("it", { key: "k", count });
        const decision = limiter.limit("it", { key: "k", count });
        if (checked.ok !== decision.ok) throw new Error("check says something else");
        if (decision.ok || decision.retryAfter === Number.POSITIVE_INFINITY) clock.advance(ms % 50);
        else {
          clock.advance(decision.retryAfter);
          expect(limiter.limit("it", { key: "k", count })).toMatchObject({ ok: true });
        }
      }
    }),
    { numRuns: runs(300) },
  );
});

describe("several limits together", () => {
  test("are taken of what is held and of the store, or not at all", () => {
    const { limiter, take, held, commands } = place();
    take(30);
    const both = [
      { limit: "bucket", key: "k", count: 2 },
      { limit: "plain", key: "k" },
    ] as const;
    const [before, calls] = [held(), commands.length];
    expect(limiter.limitAll(both).ok).toBe(true);
    expect(held()).toBe(before - 2);
    expect(limiter.checkAll(both)).toMatchObject({ ok: false, refused: ["plain"] });
    expect(limiter.limitAll(both)).toMatchObject({ ok: false, refused: ["plain"] });
    expect(held()).toBe(before - 2);
    expect(commands.slice(calls).map(({ budgets }) => budgets.length)).toEqual([1, 1, 1]);
    expect(limiter.value("bucket", { key: "k" }).remaining).toBe(968);
  });

  test("are taken here alone where all is held", () => {
    const { limiter, take, held, commands } = place();
    take(30);
    for (let ask = 0; ask < 30; ask++) limiter.limit("window", { key: "k" });
    const [before, calls] = [held(), commands.length];
    const both = [
      { limit: "bucket", key: "k" },
      { limit: "window", key: "k" },
    ] as const;
    expect(limiter.checkAll(both).ok).toBe(true);
    expect(limiter.limitAll(both).ok).toBe(true);
    expect([held(), commands.length]).toEqual([before - 2, calls]);
  });

  test("put nothing back where the store fails, beyond what was set aside", () => {
    const { limiter, take, held, inside } = place();
    take(30);
    const before = held();
    inside.isAway = true;
    const both = [
      { limit: "bucket", key: "k" },
      { limit: "plain", key: "k" },
    ] as const;
    expect(() => limiter.limitAll(both)).toThrow("away");
    expect(held()).toBe(before);
  });
});

describe("other verbs", () => {
  test("value is what the store has left and what is held here", () => {
    const { limiter, elsewhere, take } = place();
    take(100);
    expect(limiter.value("bucket", { key: "k" }).remaining).toBe(900);
    expect(elsewhere.value("bucket", { key: "k" }).remaining).toBeLessThan(900);
  });

  test("settle gives back what was used here, and never what is lent", () => {
    const { limiter, elsewhere, take, held } = place();
    take(100);
    const lentOut = held();
    expect(limiter.settle("bucket", { key: "k", reserved: 50, used: 20 }).remaining).toBe(930);
    elsewhere.settle("bucket", { key: "k", reserved: 1000, used: 0 });
    // The 20 that are settled stay used; what is lent was not used yet, as far as the store knows.
    expect(elsewhere.value("bucket", { key: "k" }).remaining).toBe(1000 - 20 - lentOut);
  });

  test("settle gives nothing back of what is lent when all else has come back by itself", () => {
    const { elsewhere, take, store, clock } = place();
    elsewhere.limit("bucket", { key: "k", count: 50 });
    take(3);
    const lentOut = store.lending?.numbers().lent ?? 0;
    clock.advance(2000);
    elsewhere.settle("bucket", { key: "k", reserved: 50, used: 0 });
    expect(lentOut).toBeGreaterThan(0);
    expect(elsewhere.value("bucket", { key: "k" }).remaining).toBe(1000 - lentOut);
  });

  test("settle gives back what was used here, also after draws without an answer", () => {
    const { limiter, take, inside, commands } = place();
    take(100);
    inside.isAway = true;
    let used = 100;
    for (const before = commands.length; commands.length < before + 1; used++) take(1);
    inside.isAway = false;
    expect(limiter.value("bucket", { key: "k" }).remaining).toBe(1000 - used);
    const settled = limiter.settle("bucket", { key: "k", reserved: used, used: 0 });
    expect(settled.remaining).toBe(1000);
  });

  test("block holds here at once, whatever is held; unblock ends it", () => {
    const { limiter, take, held } = place();
    take(100);
    limiter.block("bucket", { key: "k", for: "1m" });
    expect(held()).toBe(0);
    expect(limiter.limit("bucket", { key: "k" })).toMatchObject({
      reason: "blocked",
      retryAfter: 60_000,
    });
    limiter.unblock("bucket", { key: "k" });
    expect(limiter.limit("bucket", { key: "k" }).ok).toBe(true);
  });

  test("reset is seen here at once", () => {
    const { limiter, take } = place();
    take(1100);
    expect(limiter.limit("bucket", { key: "k" }).ok).toBe(false);
    limiter.reset("bucket", { key: "k" });
    expect(limiter.limit("bucket", { key: "k" })).toMatchObject({ ok: true, remaining: 999 });
  });
});

describe("what is held", () => {
  test("goes back when the key is not asked for, by one timer, which ends with it", () => {
    const { take, held, pass, events, elsewhere, timers, limiter } = place();
    take(30);
    for (let key = 0; key < 20; key++) limiter.limit("window", { key: `${key}` });
    expect(timers).toHaveLength(1);
    expect(held()).toBeGreaterThan(0);
    pass(4000);
    expect(held()).toBe(0);
    expect(events.at(-1)).toMatchObject({ type: "given back", limit: "bucket" });
    expect(elsewhere.value("bucket", { key: "k" }).remaining).toBe(1000);
    expect(timers).toHaveLength(0);
  });

  test("goes back at the end, and nothing is drawn any more", async () => {
    const { limiter, take, held, events, elsewhere, commands } = place();
    take(30);
    const before = held();
    limiter.giveBack();
    expect(events.at(-1)).toEqual({ type: "given back", limit: "bucket", units: before });
    expect(elsewhere.value("bucket", { key: "k" }).remaining).toBe(970);
    const calls = commands.length;
    take(20);
    expect(commands.slice(calls).every(({ verb }) => verb === "limit")).toBe(true);
    await limiter[Symbol.asyncDispose]();
  });

  test("is not drawn by asks that waited while it was given back, or its key went", async () => {
    const base = memoryStore({ clock: manualClock() });
    const pending: (() => void)[] = [];
    const wanted: number[] = [];
    const raw: Store<"later"> = {
      timing: "later",
      execute: (command) =>
        new Promise((resolve) => {
          if (command.verb === "draw") wanted.push(command.draw.want);
          pending.push(() => resolve(base.execute(command)));
        }),
    };
    const limiter = new RateLimiter({ bucket: BUCKET }, { store: lent(raw, { maxKeys: 1 }) });
    const flush = async () => {
      while (pending.length > 0) {
        for (const answer of pending.splice(0)) answer();
        for (let turn = 0; turn < 10; turn++) await undefined;
      }
    };
    const ask = (key: string) => limiter.limit("bucket", { key });
    const first = ask("one");
    await flush();
    const ones = Array.from({ length: 20 }, () => ask("one"));
    // The first key goes, for there is room for one.
    const other = ask("other");
    await flush();
    const others = Array.from({ length: 20 }, () => ask("other"));
    const given = limiter.giveBack();
    await flush();
    await given;
    const all = await Promise.all([first, other, ...ones, ...others]);
    expect(all.every(({ ok }) => ok)).toBe(true);
    expect(wanted.filter((want) => want > 0)).toHaveLength(2);
    const { remaining } = base.execute({
      verb: "value",
      budgets: [{ plan: planFor("bucket", BUCKET), key: "one" }],
    });
    expect(remaining).toBe(1000 - 21);
  });

  test("is used while the store is away, until it is used up or over", () => {
    const { limiter, take, held, inside, clock, events } = place();
    take(30);
    inside.isAway = true;
    const before = held();
    for (let left = before; left > 0; left--)
      expect(limiter.limit("bucket", { key: "k" }).ok).toBe(true);
    expect(() => limiter.limit("bucket", { key: "k" })).toThrow("away");
    inside.isAway = false;
    take(30);
    inside.isAway = true;
    expect(held()).toBeGreaterThan(0);
    clock.advance(10_000);
    expect(() => limiter.limit("bucket", { key: "k" })).toThrow("away");
    expect(events.filter(({ type }) => type === "drawn").length).toBeGreaterThan(0);
  });

  test("is dropped where the store has lost its state", () => {
    const { take, held, inside, clock, elsewhere, commands } = place();
    take(100);
    inside.store = memoryStore({ clock });
    const calls = commands.length;
    while (commands.length === calls) take(1);
    // It has reported what is left of the shares by now, and holds what the new state has lent.
    const { remaining } = elsewhere.value("bucket", { key: "k" });
    expect(held()).toBeLessThanOrEqual(1000 - remaining);
    take(2000);
    expect(elsewhere.value("bucket", { key: "k" }).remaining).toBe(0);
  });

  test("is reported when it is over", () => {
    const { take, held, pass, events, clock } = place();
    take(30);
    const before = held();
    clock.advance(10_000);
    pass(1000);
    expect(events).toContainEqual({ type: "expired", limit: "bucket", units: before });
  });

  test("is over where its answer comes after its end, and is reported", async () => {
    const clock = manualClock();
    const base = memoryStore({ clock });
    const pending: (() => void)[] = [];
    const raw: Store<"later"> = {
      timing: "later",
      execute: (command) => {
        const answer = base.execute(command);
        return new Promise((resolve) => pending.push(() => resolve(answer)));
      },
    };
    const events: StoreEvent[] = [];
    const scheduler = { elapsed: clock, afterDelay() {} };
    const store = lent(raw, { clock, scheduler, onEvent: (event) => events.push(event) });
    const limiter = new RateLimiter({ bucket: BUCKET }, { store });
    for (const late of [0, 9990]) {
      const asked = limiter.limit("bucket", { key: "k" });
      clock.advance(late);
      for (const answer of pending.splice(0)) answer();
      expect(await asked).toMatchObject({ ok: true });
    }
    const { lent: units = 0 } = store.lending?.numbers() ?? {};
    expect(units).toBeGreaterThan(0);
    expect(events).toContainEqual({ type: "drawn", limit: "bucket", units, held: 0 });
    expect(events).toContainEqual({ type: "expired", limit: "bucket", units });
    expect(store.lending?.numbers().held).toBe(0);
  });

  test("is of a bounded number of keys, and those that go give back", () => {
    const { limiter, store, elsewhere } = place({ maxKeys: 10 });
    for (let key = 0; key < 100; key++) {
      for (let ask = 0; ask < 5; ask++) limiter.limit("bucket", { key: `${key}` });
    }
    expect(store.lending?.numbers().keys).toBe(10);
    for (let key = 0; key < 80; key++) {
      expect(elsewhere.value("bucket", { key: `${key}` }).remaining).toBe(995);
    }
  });
});

test("where more than half of the asks go to the store, there is one warning with the numbers", () => {
  const { limiter, warnings, pass } = place();
  for (let key = 0; key < 3000; key++) limiter.limit("bucket", { key: `${key}` });
  pass(1000);
  for (let key = 0; key < 3000; key++) limiter.limit("bucket", { key: `again ${key}` });
  pass(1000);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/limit "bucket": the store was called for 1000 of 1000 asks/);
});

test("a store of this process is returned as it is, and what is no option is refused", () => {
  const store = memoryStore();
  expect(lent(store)).toBe(store);
  expect(() => lent(store, { maxKeys: 0 })).toThrow("maxKeys");
  expect(() => lent(store, { most: 1 } as never)).toThrow("most");
});

describe("a holder", () => {
  const lentUnits = { units: 10, lasts: 10_000, unlisted: [] };

  test("stops before the store does, though its clock is a thousandth slow", () => {
    const holder = new Holder();
    holder.send(1, { elapsed: 0, wall: 0 });
    holder.accept(1, lentUnits, 10_000);
    const end = 10_000 * 0.9991;
    expect(holder.take(1, { elapsed: end, wall: end })).toBe(false);
  });

  test("puts nothing back of a share that is over, or given back", () => {
    const holder = new Holder();
    holder.send(1, { elapsed: 0, wall: 0 });
    holder.accept(1, lentUnits, 10_000);
    const aside = holder.setAside(4, { elapsed: 1, wall: 1 }) ?? [];
    expect(holder.report()).toEqual([{ id: 1, units: 10 }]);
    expect(holder.giveUp()).toEqual([{ id: 1, units: 6 }]);
    holder.putBack(aside);
    expect(holder.units).toBe(0);
  });
});

test("demand grows with what is asked, at most twice that, and is forgotten", () => {
  const demand = new KeyDemand(0, 10_000);
  demand.note(1);
  expect(demand.want(0, 1)).toBeCloseTo(2.5, 2);
  demand.note(1);
  expect(demand.want(0, 2)).toBe(3);
  for (let second = 0; second < 20; second++) {
    demand.note(1000);
    demand.want(0, 1000 * (second + 1));
  }
  demand.note(1000);
  expect(demand.want(0, 21_000)).toBeGreaterThan(950);
  demand.note(1000);
  expect(demand.want(400, 22_000)).toBeLessThanOrEqual(600);
  expect(demand.want(0, 60_000)).toBeLessThanOrEqual(1);
});

test("demand is no more than what is used in half of the time for which units are held", () => {
  const [short, long] = [500, 10_000].map((share) => new KeyDemand(0, share)) as [
    KeyDemand,
    KeyDemand,
  ];
  for (const demand of [short, long]) demand.note(20_000);
  const [half, whole] = [short.want(0, 2000), long.want(0, 2000)];
  expect(whole / half).toBeCloseTo(4, 9);
  expect(long.want(half, 2000)).toBe(1);
});

test("a plan without a share passes through", () => {
  const { store, commands, inside } = place();
  const plan = planFor("other", PLAIN);
  const ask = { plan, key: "k", count: 1, reserve: false };
  expect(store.limit?.(ask)).toMatchObject({ ok: true });
  expect(store.limit?.(ask)).toMatchObject({ ok: false });
  expect(commands).toHaveLength(2);
  expect(inside.store.execute({ verb: "value", budgets: [ask] }).remaining).toBe(0);
});
