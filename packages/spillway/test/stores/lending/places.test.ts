/** What a process does with places that it keeps, beside law 1, which is in `laws/places.test.ts`. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type {
  Answer,
  AnswerTo,
  Ask,
  Command,
  Concurrency,
  Store,
} from "../../../src/limits/core/index.ts";
import { lent, type StoreEvent } from "../../../src/stores/index.ts";
import { keptPlan } from "../../../src/stores/lending/places/kept-plan.ts";
import { PlaceKey } from "../../../src/stores/lending/places/place-key.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";

const JOBS = { kind: "concurrency", capacity: 10, ttl: "1m", share: "10s" } as const;
const SHORT = { kind: "concurrency", capacity: 10, ttl: "1s", share: "10s" } as const;
const ONE = { kind: "concurrency", capacity: 1, ttl: "1m", share: "10s" } as const;
const CALLS = { kind: "token bucket", rate: 1, period: 60_000, capacity: 1 } as const;
const LIMITS = { jobs: JOBS, short: SHORT, one: ONE, calls: CALLS };
const key = "k";

/** A store that is reached by hand: each command is seen, and may fail. */
function storeWith(clock: () => number) {
  const inside = { store: memoryStore({ clock }) as Store<"now">, isAway: false };
  const commands: Command[] = [];
  const raw: Store<"now"> = {
    timing: "now",
    execute(command) {
      commands.push(command);
      if (inside.isAway) throw new Error("away");
      return inside.store.execute(command);
    },
  };
  return { raw, inside, commands };
}

/** A store, and a process that keeps places of it; time passes by hand. */
function place({ maxKeys }: { readonly maxKeys?: number } = {}) {
  const clock = manualClock();
  const { raw, inside, commands } = storeWith(clock);
  const events: StoreEvent[] = [];
  const warnings: string[] = [];
  let timers: { readonly at: number; readonly call: () => void }[] = [];
  const scheduler = {
    elapsed: clock,
    afterDelay: (ms: number, call: () => void) => timers.push({ at: clock() + ms, call }),
  };
  const onEvent = (event: StoreEvent) => events.push(event);
  const warn = (message: string) => warnings.push(message);
  const store = lent(raw, { maxKeys, clock, scheduler, onEvent, warn });
  const limiter = new RateLimiter(LIMITS, { store });
  const elsewhere = new RateLimiter(LIMITS, { store: lent(raw, { clock, scheduler }) });
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 1000) {
      clock.advance(Math.min(1000, left));
      const due = timers.filter(({ at }) => at <= clock());
      timers = timers.filter(({ at }) => at > clock());
      for (const { call } of due) call();
    }
  };
  const verbs = () => commands.splice(0).map(({ verb }) => verb);
  const held = () => store.lending?.numbers().held;
  return { clock, inside, events, warnings, store, limiter, elsewhere, pass, verbs, held };
}

describe("a place that was given back", () => {
  test("is handed out again without the store", () => {
    const { limiter, verbs, pass, held } = place();
    for (let time = 0; time < 90; time++) {
      const lease = limiter.acquire("jobs", { key });
      expect(lease).toMatchObject({ ok: true, capacity: 10, remaining: 9, retryAfter: 0 });
      expect(limiter.value("jobs", { key }).remaining).toBe(9);
      expect(lease.release()).toBe(true);
      if (time % 10 === 9) pass(1000);
    }
    expect(verbs().filter((verb) => verb !== "value")).toEqual(["limit"]);
    expect(held()).toBe(1);
    expect(limiter.value("jobs", { key }).remaining).toBe(10);
  });

  test("stays only while the store had as many left when it was asked last", () => {
    const { limiter, elsewhere, verbs, held } = place();
    const all = Array.from({ length: 10 }, () => limiter.acquire("jobs", { key }));
    expect(verbs()).toEqual(Array(10).fill("limit"));
    for (const lease of all) expect(lease.release()).toBe(true);
    expect(verbs()).toEqual(Array(10).fill("release"));
    expect(held()).toBe(0);
    // Half of it at most, if nobody else is there.
    const half = Array.from({ length: 6 }, () => limiter.acquire("jobs", { key }));
    for (const lease of half) lease.release();
    expect(held()).toBe(4);
    expect(elsewhere.acquire("jobs", { key, count: 6 }).ok).toBe(true);
    limiter.acquire("one", { key }).release();
    expect(held()).toBe(4);
  });

  test("goes back when nobody has asked for it for two to three seconds", () => {
    const { limiter, pass, held, verbs, events } = place();
    limiter.acquire("jobs", { key }).release();
    pass(2000);
    expect(held()).toBe(1);
    pass(1000);
    expect(held()).toBe(0);
    expect(verbs()).toEqual(["limit", "release"]);
    expect(events).toEqual([
      { type: "drawn", limit: "jobs", units: 1, held: 0 },
      { type: "given back", limit: "jobs", units: 1 },
    ]);
    expect(limiter.value("jobs", { key }).remaining).toBe(10);
  });

  test("goes back once it was kept for the whole share, though it is asked for all the time", () => {
    const { limiter, pass, verbs } = place();
    for (let time = 0; time < 21; time++) {
      limiter.acquire("jobs", { key }).release();
      pass(1000);
    }
    expect(verbs()).toEqual(["limit", "release", "limit", "release", "limit"]);
  });

  test("is one of so many keys", () => {
    const { limiter, held, verbs } = place({ maxKeys: 3 });
    const all = Array.from({ length: 5 }, (_, id) => limiter.acquire("jobs", { key: `${id}` }));
    for (const lease of all) expect(lease.release()).toBe(true);
    expect(held()).toBe(3);
    expect(verbs()).toEqual([...Array(5).fill("limit"), "release", "release"]);
  });
});

describe("a lease", () => {
  test("that nobody gives back is over after its ttl, and its place is handed out again", () => {
    const { limiter, pass, verbs } = place();
    const lost = limiter.acquire("short", { key });
    pass(995);
    const second = limiter.acquire("short", { key });
    expect(verbs()).toEqual(["limit", "limit"]);
    pass(10);
    const third = limiter.acquire("short", { key });
    expect(verbs()).toEqual([]);
    expect(lost.renew()).toBe(false);
    expect(lost.release()).toBe(false);
    expect(second.release()).toBe(true);
    expect(third.release()).toBe(true);
  });

  test("is renewed by the store, and outlasts the share", () => {
    const { limiter, elsewhere, pass, verbs } = place();
    const lease = limiter.acquire("jobs", { key });
    for (let time = 0; time < 10; time++) {
      pass(20_000);
      expect(lease.renew()).toBe(true);
    }
    expect(elsewhere.value("jobs", { key }).remaining).toBe(9);
    expect(verbs().filter((verb) => verb === "renew")).toHaveLength(10);
    expect(lease.release()).toBe(true);
    expect(elsewhere.value("jobs", { key }).remaining).toBe(10);
  });

  test("that the store has lost says so when it is renewed, and takes no other with it", () => {
    const { limiter, inside, clock, held } = place();
    const two = limiter.acquire("jobs", { key, count: 2 });
    two.release();
    expect(held()).toBe(2);
    const [one, other] = [limiter.acquire("jobs", { key }), limiter.acquire("jobs", { key })];
    other.release();
    expect(held()).toBe(1);
    inside.store = memoryStore({ clock });
    expect(one.renew()).toBe(false);
    // What the store does not list is not handed out.
    expect(held()).toBe(0);
    expect(one.release()).toBe(false);
    expect(limiter.acquire("jobs", { key, count: 10 }).ok).toBe(true);
  });

  test("is not over while its renewal is under way", async () => {
    const { store, deliver, clock } = later();
    const first = await deliver(store.limit?.(askOf(SHORT, 1)));
    expect(first).toMatchObject({ ok: true });
    clock.advance(900);
    const renewed = store.execute({ verb: "renew", ...of(SHORT), lease: { id: 1, count: 1 } });
    clock.advance(200);
    const asked = store.limit?.(askOf(SHORT, 2));
    // It is not handed out meanwhile: the store is asked.
    expect(store.lending?.numbers()).toMatchObject({ held: 0 });
    expect(await deliver(renewed)).toBe(true);
    await asked;
    expect(store.lending?.numbers()).toMatchObject({ lent: 2 });
  });

  test("released while the store finds a part of it lost gives the other part back once", async () => {
    const { store, inside, deliver } = later();
    await deliver(store.limit?.(askOf(JOBS, 1)));
    await deliver(store.execute({ verb: "release", ...of(JOBS), lease: { id: 1, count: 1 } }));
    // One that is here, and two of the store.
    await deliver(store.limit?.({ ...askOf(JOBS, 2), count: 3 }));
    const lease = { id: 2, count: 3 };
    const renewed = store.execute({ verb: "renew", ...of(JOBS), lease });
    expect(await store.execute({ verb: "release", ...of(JOBS), lease })).toBe(true);
    expect(store.lending?.numbers().held).toBe(3);
    const { store: there } = inside;
    const execute = <C extends Command>(command: C) =>
      command.verb === "renew" && command.lease.count === 2
        ? (false as AnswerTo<C>)
        : there.execute(command);
    inside.store = { timing: "now", execute };
    expect(await deliver(renewed)).toBe(false);
    expect(store.lending?.numbers().held).toBe(1);
  });
});

describe("a block", () => {
  test("here holds at once, and what is in flight goes on", () => {
    const { limiter, held } = place();
    const [one, other] = [limiter.acquire("jobs", { key }), limiter.acquire("jobs", { key })];
    one.release();
    limiter.block("jobs", { key, for: "1h" });
    expect(held()).toBe(0);
    expect(limiter.acquire("jobs", { key })).toMatchObject({ ok: false, reason: "blocked" });
    expect(other.renew()).toBe(true);
    expect(other.release()).toBe(true);
    expect(held()).toBe(0);
    limiter.unblock("jobs", { key });
    expect(limiter.acquire("jobs", { key, count: 10 }).ok).toBe(true);
  });

  test("elsewhere is seen after the share, or when the store is asked", () => {
    const { limiter, elsewhere, pass, held } = place();
    limiter.acquire("jobs", { key }).release();
    elsewhere.block("jobs", { key, for: "1h" });
    for (let time = 0; time < 9; time++) {
      limiter.acquire("jobs", { key }).release();
      pass(1000);
    }
    pass(1000);
    expect(limiter.acquire("jobs", { key })).toMatchObject({ ok: false, reason: "blocked" });
    elsewhere.unblock("jobs", { key });
    limiter.acquire("jobs", { key }).release();
    elsewhere.block("jobs", { key, for: "1h" });
    expect(held()).toBe(1);
    expect(limiter.acquire("jobs", { key, count: 2 }).reason).toBe("blocked");
    expect(held()).toBe(0);
    elsewhere.unblock("jobs", { key });
    limiter.acquire("jobs", { key, count: 2 }).release();
    limiter.acquire("jobs", { key });
    elsewhere.block("jobs", { key, for: "1h" });
    // One unit of two is in use.
    expect(held()).toBe(1);
    expect(limiter.acquire("jobs", { key, count: 2 }).reason).toBe("blocked");
    expect(held()).toBe(0);
    expect(limiter.acquire("jobs", { key }).reason).toBe("blocked");
  });

  test("concerns what the store granted before, and answered after it", async () => {
    const { store, deliver, deliverOne } = later();
    const asked = store.limit?.(askOf(JOBS, 1));
    await deliverOne();
    const blocked = store.execute({ verb: "block", ...of(JOBS), ms: 60_000 });
    expect(await deliver(asked)).toMatchObject({ ok: true });
    await blocked;
    await deliver(store.execute({ verb: "release", ...of(JOBS), lease: { id: 1, count: 1 } }));
    expect(store.lending?.numbers().held).toBe(0);
  });
});

test("a reset gives back what nobody holds, and leaves what is in flight", () => {
  const { limiter, elsewhere, verbs, held } = place();
  const [one, other] = [limiter.acquire("jobs", { key }), limiter.acquire("jobs", { key })];
  one.release();
  elsewhere.acquire("jobs", { key, count: 3 });
  limiter.reset("jobs", { key });
  expect(held()).toBe(0);
  expect(elsewhere.value("jobs", { key }).remaining).toBe(6);
  expect(other.renew()).toBe(true);
  expect(verbs()).not.toContain("reset");
});

test("giveBack returns what nobody holds, and the rest when it is released", () => {
  const { limiter, elsewhere, held, verbs } = place();
  const [one, other] = [limiter.acquire("jobs", { key }), limiter.acquire("jobs", { key })];
  one.release();
  limiter.giveBack();
  expect(held()).toBe(0);
  expect(elsewhere.value("jobs", { key }).remaining).toBe(9);
  expect(other.release()).toBe(true);
  expect(elsewhere.value("jobs", { key }).remaining).toBe(10);
  verbs();
  limiter.acquire("jobs", { key }).release();
  limiter.acquire("jobs", { key: "new" }).release();
  expect(verbs()).toEqual(["limit", "release", "limit", "release"]);
});

test("after giveBack nothing stays here, of keys with leases in flight neither", () => {
  const { limiter, held, pass, elsewhere } = place();
  const [one, ...others] = Array.from({ length: 3 }, () => limiter.acquire("jobs", { key }));
  for (const lease of others) lease.release();
  limiter.giveBack();
  const another = limiter.acquire("jobs", { key });
  expect([another.ok, another.release(), held()]).toEqual([true, true, 0]);
  expect(elsewhere.value("jobs", { key }).remaining).toBe(9);
  expect(one?.release()).toBe(true);
  pass(1000);
  expect(elsewhere.value("jobs", { key }).remaining).toBe(10);
});

test("while the store is away, what is here is handed out, and a failed ask takes nothing", () => {
  const { limiter, inside, held } = place();
  limiter.acquire("jobs", { key, count: 2 }).release();
  inside.isAway = true;
  const one = limiter.acquire("jobs", { key });
  expect(one.ok).toBe(true);
  expect(() => limiter.acquire("jobs", { key, count: 2 })).toThrow("away");
  expect(() =>
    limiter.limitAll([
      { limit: "jobs", key },
      { limit: "calls", key },
    ]),
  ).toThrow("away");
  expect(held()).toBe(1);
  expect(one.release()).toBe(true);
  expect(() => one.renew()).not.toThrow();
  expect(held()).toBe(2);
});

test("what is answered without the store is not kept, and what is held nowhere not handed out", () => {
  const { inside, store, held } = place();
  const { store: there } = inside;
  store.limit?.(askOf(JOBS, 3));
  // As a resilient store answers while the server is away.
  inside.store = {
    ...there,
    timing: "now",
    execute: (command) => {
      const answer = there.execute(command) as readonly object[];
      if (command.verb !== "limit") return answer as never;
      return answer.map((one) => ({ ...one, degraded: true })) as never;
    },
  };
  const release = (id: number) =>
    store.execute({ verb: "release", ...of(JOBS), lease: { id, count: 1 } });
  store.limit?.(askOf(JOBS, 1));
  expect(release(1)).toBe(true);
  expect(held()).toBe(0);
  const settings = { whenUnavailable: "open", shards: 1 } as const;
  store.limit?.({ ...askOf(JOBS, 2), settings });
  expect(release(2)).toBe(false);
});

test("several limits are taken together or not at all, whoever has the places", () => {
  const { limiter, held, verbs } = place();
  const both = [
    { limit: "jobs", key, count: 2 },
    { limit: "calls", key },
  ] as const;
  limiter.acquire("jobs", { key }).release();
  const first = limiter.limitAll(both);
  expect(first).toMatchObject({ ok: true });
  expect(held()).toBe(0);
  first.lease?.release();
  expect(held()).toBe(2);
  verbs();
  // The places are here, and the call is not.
  expect(limiter.limitAll(both)).toMatchObject({ ok: false, refused: ["calls"] });
  expect(verbs()).toEqual(["limit"]);
  expect(held()).toBe(2);
  expect(limiter.checkAll(both)).toMatchObject({ ok: false, refused: ["calls"] });
  expect(limiter.limitAll([{ limit: "jobs", key, count: 2 }]).decisions[0]).toMatchObject({
    ok: true,
    remaining: 8,
  });
  expect(held()).toBe(0);
});

test("one process is admitted as without share, whatever it asks for", () => {
  const events = fc.array(
    fc.record({
      verb: fc.constantFrom("acquire", "acquire", "release", "check", "value"),
      count: fc.integer({ min: 0, max: 4 }),
      headroom: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4 })),
      which: fc.nat(),
      ms: fc.nat({ max: 90 }),
    }),
    { maxLength: 60, size: "max" },
  );
  const capacities = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(capacities, events, (capacity, schedule) => {
      const clock = manualClock();
      const scheduler = { elapsed: clock, afterDelay: () => {} };
      const limit = { kind: "concurrency", capacity, ttl: "1h" } as const;
      const { raw } = storeWith(clock);
      const store = lent(raw, { clock, scheduler, warn: () => {} });
      const shares = new RateLimiter({ it: { ...limit, share: "10s" } }, { store });
      const plain = new RateLimiter({ it: limit }, { store: memoryStore({ clock }) });
      const leases: { release(): boolean }[][] = [];
      for (const { verb, count, headroom, which, ms } of schedule) {
        clock.advance(ms);
        if (verb === "release") {
          const [one, other] = leases[which % leases.length] ?? [];
          expect(one?.release()).toBe(other?.release());
        } else if (verb === "acquire") {
          const [one, other] = [shares, plain].map((it) => it.acquire("it", { count, headroom }));
          const { ok, remaining, reason } = other as NonNullable<typeof other>;
          expect(one).toMatchObject({ ok, remaining, reason });
          leases.push([one, other] as never);
        } else if (verb === "check") {
          const [one, other] = [shares, plain].map((it) => it.check("it", { count }));
          const { ok, remaining } = other as NonNullable<typeof other>;
          expect(one).toMatchObject({ ok, remaining });
        } else expect(shares.value("it").remaining).toBe(plain.value("it").remaining);
      }
    }),
    { numRuns: runs(300) },
  );
});

test("a place is held for no longer than the store keeps it, though its clock is fast", () => {
  const times = fc.integer({ min: 100, max: 1e10 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e10 }), times, fc.nat(), (ttl, share, early) => {
      const plan = planFor("it", { kind: "concurrency", capacity: 3, ttl, share });
      const placeKey = new PlaceKey({ plan, key }, true);
      placeKey.stock.heard(2);
      const at = (elapsed: number) => ({ elapsed, wall: elapsed });
      const part = placeKey.stock.add({ id: 1, units: 1, sent: at(0), isKept: true });
      placeKey.stock.putBack([part], at(0));
      const listed = (keptPlan(plan).period - 1) * 0.999;
      const later = share * 0.999 - 2;
      expect(placeKey.take(1, at(later - (early % 2))).length).toBe(early % 2);
      expect(later + ttl).toBeLessThanOrEqual(listed);
    }),
    { numRuns: runs(300) },
  );
});

test("where the store is called for more than half of the asks, there is one warning", () => {
  const { limiter, pass, warnings } = place();
  for (let second = 0; second < 30; second++) {
    for (let ask = 0; ask < 50; ask++) limiter.acquire("one", { key }).release();
    pass(1000);
  }
  expect(warnings).toEqual([
    'limit "one": the store was called for 1000 of 1000 asks, although units are lent. A share ' +
      "pays off if a key is requested again within two seconds and is rarely full; otherwise " +
      "leave `share` out",
  ]);
});

describe("in memory", () => {
  test("share does nothing", () => {
    const clock = manualClock();
    const limiter = new RateLimiter(LIMITS, { store: memoryStore({ clock }) });
    const lease = limiter.acquire("jobs", { key });
    expect(lease).toMatchObject({ ok: true, remaining: 9, resetAfter: 60_000 });
    limiter.reset("jobs", { key });
    expect(lease.release()).toBe(false);
    expect(limiter.giveBack()).toBe(undefined);
  });
});

test.each([
  [{ ttl: "1m", share: 99 }, '100 ms to 366 days, such as "10s"'],
  [{ ttl: "1m", share: "soon" }, '100 ms to 366 days, such as "10s"'],
  [{ ttl: "365d", share: 100 }, "at most 365 days together with the ttl"],
] as const)("a share that can't be is refused: %o", (wrong, expected) => {
  const it = { kind: "concurrency", capacity: 1, ...wrong } as Concurrency;
  expect(() => new RateLimiter({ it })).toThrow(
    expect.objectContaining({ code: "bad-share", limit: "it", field: "share", expected }),
  );
});

/** The budget of a limit. */
function of(limit: Concurrency) {
  return { budgets: [{ plan: planOf(limit), key }] } as const;
}

const plans = new Map<Concurrency, ReturnType<typeof planFor>>();

function planOf(limit: Concurrency) {
  const plan = plans.get(limit) ?? planFor("it", limit);
  plans.set(limit, plan);
  return plan;
}

function askOf(limit: Concurrency, id: number): Ask {
  return { plan: planOf(limit), key, count: 1, reserve: false, lease: { id, headroom: 0 } };
}

/** A store whose messages are delivered by hand. */
function later() {
  const clock = manualClock();
  const { raw, inside } = storeWith(clock);
  const messages: (() => void)[] = [];
  const remote: Store<"later"> = {
    timing: "later",
    execute: <C extends Command>(command: C): Answer<"later", AnswerTo<C>> =>
      new Promise((resolve) => {
        messages.push(() => {
          const answer = raw.execute(command);
          messages.push(() => resolve(answer));
        });
      }),
  };
  const scheduler = { elapsed: clock, afterDelay: () => {} };
  const store = lent(remote, { clock, scheduler, random: seededRandom(1), warn: () => {} });
  const deliverOne = async () => {
    messages.shift()?.();
    for (let turn = 0; turn < 8; turn++) await undefined;
  };
  const deliver = async <T>(answer: T): Promise<Awaited<T>> => {
    while (messages.length > 0) await deliverOne();
    return answer as Awaited<T>;
  };
  return { clock, inside, store, deliver, deliverOne };
}
