import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { type RegionEvent, regionStore } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { seededRandom } from "../../../src/testing/index.ts";
import { EPOCH, World } from "./world.ts";

const LIMITS = {
  it: { kind: "token bucket", rate: 30, period: 60_000 },
  other: { kind: "token bucket", rate: 9, period: 60_000 },
  spare: { kind: "token bucket", rate: 30, period: 60_000, maxReserved: 3 },
  places: { kind: "concurrency", capacity: 6, ttl: 60_000 },
  log: { kind: "sliding log", rate: 6, period: 60_000 },
} as const;
const NAMES = ["eu", "us"];

/** A process in the first region, of which it is noted what happens. */
function told(world: World, events: RegionEvent[], hold?: number) {
  return regionStore({
    here: "eu",
    regions: world.regions({ here: "eu", parts: [2, 1], names: NAMES }),
    hold,
    clock: () => EPOCH + world.now,
    scheduler: {
      elapsed: () => world.now,
      afterDelay: (ms, call) => world.at(world.now + ms, call),
    },
    onEvent: (event) => events.push(event),
  });
}

function setUp({ parts = [2, 1], skew = 0, oneWay = 40 } = {}) {
  const options = { names: NAMES, parts, skews: [0, skew], delay: [oneWay, oneWay] } as const;
  const world = new World({ ...options, random: seededRandom(1) });
  const store = world.process("eu");
  const limiter = new RateLimiter(LIMITS, { store });
  /** Asks one by one until it is refused. */
  const drain = async (limit: keyof typeof LIMITS = "it") => {
    let admitted = 0;
    while ((await limiter.limit(limit, { key: "k" } as never)).ok) admitted++;
    return admitted;
  };
  const wait = (ms: number) => world.run(world.now + ms);
  return { world, store, limiter, drain, wait };
}

test("the near part is admitted, then what others can spare, a quarter of their part not", async () => {
  const { drain, wait, limiter } = setUp();
  expect(await drain()).toBe(20);
  await wait(100);
  expect(await drain()).toBe(0);
  await wait(100);
  const second = await drain();
  expect(second).toBeGreaterThan(0);
  for (let time = 0; time < 20; time++) {
    await drain();
    await wait(300);
  }
  const value = await limiter.value("it", { key: "k" });
  const [near, far] = value.regions ?? [];
  expect(near).toMatchObject({ region: "eu", capacity: 20, age: 0, clock: 0 });
  expect(far).toMatchObject({ region: "us", capacity: 10, clock: 0 });
  expect(far?.age).toBeLessThan(2000);
  expect(far?.remaining).toBeGreaterThanOrEqual(2);
  expect(value).toMatchObject({ capacity: 30 });
});

test("several limits are taken together, from near and from what is held, or not at all", async () => {
  const { drain, wait, limiter } = setUp();
  await drain();
  for (let time = 0; time < 2; time++) {
    await limiter.limit("it", { key: "k", count: 4 });
    await wait(100);
  }
  expect((await limiter.value("it", { key: "k" })).remaining).toBeGreaterThan(2);
  const both = (count: number) =>
    limiter.limitAll([
      { limit: "it", key: "k" },
      { limit: "other", key: "k", count },
    ]);
  expect((await both(6)).ok).toBe(true);
  const before = await limiter.value("it", { key: "k" });
  expect((await both(6)).ok).toBe(false);
  expect((await limiter.value("it", { key: "k" })).remaining).toBe(before.remaining);
  expect((await limiter.check("it", { key: "k", count: before.remaining })).ok).toBe(true);
  expect((await limiter.check("it", { key: "k", count: before.remaining + 1 })).ok).toBe(false);
  expect((await limiter.limit("it", { key: "k", count: before.remaining })).remaining).toBe(0);
});

test("a call for nothing is admitted by what is held of other regions, and costs none of it", async () => {
  const { drain, wait, limiter } = setUp();
  await drain();
  for (let time = 0; time < 2; time++) {
    await limiter.limit("it", { key: "k", count: 4 });
    await wait(100);
  }
  const left = async () => (await limiter.value("it", { key: "k" })).remaining;
  const before = await left();
  expect(before).toBeGreaterThan(0);
  for (let time = 0; time < 3; time++) {
    const decision = await limiter.limit("it", { key: "k", count: 0 });
    expect(decision).toMatchObject({ ok: true, remaining: before });
  }
  expect(await left()).toBe(before);
  expect((await limiter.limit("it", { key: "k", count: before })).ok).toBe(true);
  expect(await limiter.limit("it", { key: "k", count: 0 })).toMatchObject({ ok: false });
});

test("a call for more than the near part holds is served once enough is held, and never by too much", async () => {
  const { wait, limiter } = setUp();
  const ask = () => limiter.limit("it", { key: "k", count: 23 });
  const first = await ask();
  expect(first).toMatchObject({ ok: false, reason: "limited", remaining: 20, capacity: 30 });
  expect(first.retryAfter).toBeLessThan(60_000);
  await wait(100);
  await ask();
  await wait(100);
  expect((await ask()).ok).toBe(true);
  const never = await limiter.limit("it", { key: "k", count: 31 });
  expect(never).toMatchObject({ ok: false, reason: "too large", retryAfter: Infinity });
});

test("a call for more than there ever is in one region is too large, and has nothing drawn for it", async () => {
  const { wait, limiter } = setUp();
  // A part of 20, and half of one of 10.
  const ask = (count: number) => limiter.limit("it", { key: "k", count });
  await ask(26);
  await wait(100);
  const never = { ok: false, reason: "too large", retryAfter: Infinity, capacity: 30 };
  expect(await ask(26)).toMatchObject({ ...never, remaining: 20 });
  expect(await limiter.check("it", { key: "k", count: 26 })).toMatchObject(never);
  expect(await limiter.limit("log", { count: 5 })).toMatchObject({ ...never, capacity: 6 });
  const reserve = { key: "k", count: 25, reserve: true } as const;
  expect(await limiter.limit("spare", reserve)).toMatchObject(never);
  for (let time = 0; time < 2; time++) {
    expect((await ask(25)).reason).toBe("limited");
    await wait(100);
  }
  expect((await ask(25)).ok).toBe(true);
});

test("what counts leases or keeps a log has its fixed part, and lends nothing", async () => {
  const { drain, wait, limiter } = setUp();
  const leases = [];
  for (
    let lease = await limiter.acquire("places");
    lease.ok;
    lease = await limiter.acquire("places")
  )
    leases.push(lease);
  expect(leases).toHaveLength(4);
  await leases[0]?.release();
  expect((await limiter.acquire("places")).ok).toBe(true);
  expect(await drain("log")).toBe(4);
  await wait(1000);
  expect(await drain("log")).toBe(0);
});

test("a block and a reset go to all regions, and say where they did not", async () => {
  const { world, drain, wait, limiter } = setUp();
  const there = new RateLimiter(LIMITS, { store: world.process("us") });
  const done = async (call: Promise<void>) => {
    const answer = call.then(
      () => "done",
      (error: Error) => error,
    );
    await wait(2000);
    return answer;
  };
  expect(await done(limiter.block("it", { key: "k", for: "1m" }))).toBe("done");
  expect(await there.limit("it", { key: "k" })).toMatchObject({ ok: false, reason: "blocked" });
  expect(await done(limiter.unblock("it", { key: "k" }))).toBe("done");
  await drain();
  world.cut.add("us");
  expect(await done(limiter.reset("it", { key: "k" }))).toMatchObject({ code: "unavailable" });
  expect(await drain()).toBe(20);
});

test("what is held is given back at the end, whole", async () => {
  const { world, limiter, store, drain, wait } = setUp();
  await drain();
  await wait(100);
  await drain();
  await wait(100);
  const { held } = store.lending.numbers();
  expect(held).toBeGreaterThan(0);
  const there = new RateLimiter(LIMITS, { store: world.process("us") });
  const before = (await there.value("it", { key: "k" })).remaining;
  const giving = limiter.giveBack();
  await wait(200);
  await giving;
  expect(store.lending.numbers().held).toBe(0);
  expect((await there.value("it", { key: "k" })).remaining).toBe(before + held);
});

test("parts change while it runs: what was used stays used, and what is held goes back", async () => {
  const { world, limiter, store, drain, wait } = setUp();
  await drain();
  store.change(world.regions({ here: "eu", parts: [1, 1], names: NAMES }));
  expect(await drain()).toBe(0);
  expect(
    (await limiter.value("it", { key: "k" })).regions?.map(({ capacity }) => capacity),
  ).toEqual([15, 15]);
  store.change(world.regions({ here: "eu", parts: [1], names: ["eu"] }));
  expect((await limiter.value("it", { key: "k" })).regions).toHaveLength(1);
  await wait(60_000);
  expect(await drain()).toBe(30);
  const bad = () => store.change(world.regions({ here: "us", parts: [1], names: ["us"] }));
  expect(bad).toThrow(expect.objectContaining({ code: "bad-region", field: "here" }));
});

test("a tightened limit uses and draws no units of what it was before", async () => {
  const { store, drain, wait } = setUp();
  for (let time = 0; time < 2; time++) {
    await drain();
    await wait(100);
  }
  expect(store.lending.numbers().held).toBeGreaterThan(0);
  const tight = { it: { kind: "token bucket", rate: 3, period: 60_000 } } as const;
  const limiter = new RateLimiter(tight, { store });
  for (let time = 0; time < 20; time++) {
    expect(await limiter.limit("it", { key: "k" })).toMatchObject({ ok: false });
    await wait(200);
  }
  expect(store.lending.numbers().held).toBe(0);
});

test("clocks of regions a minute apart are noticed, and change nothing", async () => {
  const events: RegionEvent[] = [];
  const { world, wait } = setUp({ skew: 60_000 });
  const store = told(world, events);
  const limiter = new RateLimiter(LIMITS, { store });
  for (let time = 0; time < 3; time++) {
    while ((await limiter.limit("it", { key: "k" })).ok);
    await wait(100);
  }
  expect(events).toContainEqual({ type: "clocks differ", region: "us", ms: 60_000 });
  expect(events.filter(({ type }) => type === "drawn")).not.toEqual([]);
  expect((await limiter.value("it", { key: "k" })).regions?.[1]).toMatchObject({ clock: 60_000 });
  world.cut.add("us");
  await wait(500);
  while ((await limiter.limit("it", { key: "k" })).ok);
  await wait(3000);
  expect(events.filter(({ type }) => type === "away")).toHaveLength(1);
});

test("units whose answer comes after their end are not used, and are reported", async () => {
  const events: RegionEvent[] = [];
  const { world, wait } = setUp({ oneWay: 150 });
  const store = told(world, events, 250);
  const limiter = new RateLimiter(LIMITS, { store });
  let admitted = 0;
  for (let time = 0; time < 4; time++) {
    while ((await limiter.limit("it", { key: "k" })).ok) admitted++;
    await wait(400);
  }
  expect(admitted).toBe(20);
  expect(store.lending.numbers()).toMatchObject({ held: 0 });
  const [drawn, expired] = ["drawn", "expired"].map((type) =>
    events.filter((event) => event.type === type).map((event) => ({ ...event, type: "" })),
  );
  expect(drawn).not.toEqual([]);
  expect(expired).toEqual(drawn);
});

test("misuse is refused with a code", () => {
  const eu = memoryStore();
  const us = memoryStore();
  const make = (regions: object, more = {}) => {
    return () => regionStore({ here: "eu", regions: regions as never, ...more });
  };
  const good = { store: eu, part: 1 };
  const code = (code: string, field: string) => expect.objectContaining({ code, field });
  expect(make({ eu: good, us: { store: eu, part: 1 } })).toThrow(
    code("bad-region", "regions.us.store"),
  );
  expect(make({ eu: good, us: { part: 1 } })).toThrow(code("bad-store", "regions.us.store"));
  expect(make({ eu: good, us: { store: us, part: 0 } })).toThrow(
    code("bad-region", "regions.us.part"),
  );
  expect(make({ eu: good, us: { store: us, part: 0.5 } })).toThrow(
    code("bad-region", "regions.us.part"),
  );
  expect(make({ us: good })).toThrow(code("bad-region", "here"));
  expect(make({})).toThrow(code("bad-region", "regions"));
  expect(make({ eu: { ...good, weight: 2 } })).toThrow(code("unknown-field", "weight"));
  expect(make({ eu: good }, { hold: 5 })).toThrow(code("bad-option", "hold"));
});

test("a limit with shards, or in a transaction, is refused with a code", async () => {
  const { store } = setUp();
  const limits = { it: { kind: "token bucket", rate: 30, period: 1000, shards: 3 } } as const;
  const limiter = new RateLimiter(limits, { store });
  await expect(limiter.limit("it")).rejects.toMatchObject({ code: "bad-shards" });
  expect(() => limiter.within({})).toThrow(expect.objectContaining({ code: "no-transactions" }));
});
