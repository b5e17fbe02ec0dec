import { describe, expect, test } from "vitest";
import {
  type LimitMode,
  type Limits,
  RateLimiter,
  SECOND,
  type Store,
} from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { instrumented, type StoreCall } from "../../../src/stores/telemetry/index.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import { later } from "../later.ts";

const BUCKET = { kind: "token bucket", rate: 2, period: "10s" } as const;
const JOBS = { kind: "concurrency", capacity: 1, ttl: "10s" } as const;
const key = "k";

function limiterOf<const L extends Limits>(limits: L) {
  const clock = manualClock();
  return { clock, limiter: new RateLimiter<Limits>(limits, { store: memoryStore({ clock }) }) };
}

describe("a limit in shadow mode", () => {
  test("charges what it would admit, and admits what it would refuse", () => {
    const { limiter } = limiterOf({ it: { ...BUCKET, mode: "shadow" } });
    const [first, , third] = [1, 2, 3].map(() => limiter.limit("it", { key }));
    expect(first).toMatchObject({ ok: true, remaining: 1, mode: "shadow" });
    expect(first).not.toHaveProperty("shadowed");
    expect(third).toMatchObject({ ok: true, retryAfter: 0, reason: undefined, mode: "shadow" });
    expect(third?.shadowed).toMatchObject({ ok: false, retryAfter: 5000, reason: "limited" });
  });

  test("takes nothing for what it would refuse", () => {
    const { limiter, clock } = limiterOf({ it: { ...BUCKET, mode: "shadow" } });
    for (let call = 0; call < 9; call++) limiter.limit("it", { key });
    clock.advance(5 * SECOND);
    expect(limiter.value("it", { key })).toMatchObject({ remaining: 1, reserved: 0 });
  });

  test("starts at once what it would start later", () => {
    const { limiter } = limiterOf({
      it: { kind: "leaky bucket", rate: 1, period: "1s", capacity: 5, mode: "shadow" },
    });
    limiter.limit("it", { key });
    const second = limiter.limit("it", { key });
    expect(second).toMatchObject({ ok: true, retryAfter: 0 });
    expect(second.shadowed).toMatchObject({ ok: true, retryAfter: 1000 });
  });

  test("throws nothing, and admits who is blocked", () => {
    const { limiter } = limiterOf({ it: { ...BUCKET, mode: "shadow" } });
    limiter.block("it", { key, for: "1m" });
    const decision = limiter.limit("it", { key, throws: true });
    expect(decision.shadowed).toMatchObject({ ok: false, reason: "blocked" });
  });

  test("grants a lease that holds nothing where it would refuse one", async () => {
    const { limiter } = limiterOf({ jobs: { ...JOBS, mode: "shadow" } });
    const first = limiter.acquire("jobs", { key });
    const second = limiter.acquire("jobs", { key });
    const third = await limiter.acquire("jobs", { key, wait: "1h" });
    for (const lease of [second, third]) {
      expect(lease).toMatchObject({ ok: true, ttl: Number.POSITIVE_INFINITY, mode: "shadow" });
      expect(lease.shadowed).toMatchObject({ ok: false, reason: "limited" });
    }
    second.release();
    expect(limiter.value("jobs", { key })).toMatchObject({ remaining: 0 });
    first.release();
    expect(limiter.value("jobs", { key })).toMatchObject({ remaining: 1 });
  });

  test("is asked once, alone, and only checked if others refuse", () => {
    const calls: StoreCall[] = [];
    const store = instrumented(memoryStore(), (call) => calls.push(call));
    const limits = { it: BUCKET, dark: { ...BUCKET, rate: 1, mode: "shadow" } } as const;
    const limiter = new RateLimiter(limits, { store });
    for (let call = 0; call < 3; call++) limiter.limitAll([{ limit: "dark" }, { limit: "it" }]);
    const seen = calls.map(({ verb, outcomes }) => [verb, ...outcomes.map(({ limit }) => limit)]);
    const taken = [
      ["limit", "it"],
      ["limit", "dark"],
    ];
    expect(seen).toEqual([...taken, ...taken, ["limit", "it"], ["check", "dark"]]);
  });

  test("keeps no call waiting, however many there are", async () => {
    const { clock } = limiterOf({});
    const limits = { jobs: { ...JOBS, mode: "shadow" } } as const;
    const limiter = new RateLimiter(limits, { store: memoryStore({ clock }), maxWaiting: 1 });
    const calls = [1, 2, 3, 4].map(() => limiter.acquire("jobs", { key, wait: "1h" }));
    const leases = await Promise.all(calls);
    expect(leases.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  });

  test("throws what a store throws", async () => {
    const failing = async () => Promise.reject(new Error("the transaction is lost"));
    const store: Store<"later"> = { timing: "later", execute: failing };
    const limiter = new RateLimiter({ it: { ...BUCKET, mode: "shadow" } }, { store });
    await expect(limiter.limit("it", { key })).rejects.toThrow("the transaction is lost");
  });

  test("counts as enforced beside the same budget in a stricter mode", () => {
    const { limiter } = limiterOf({ it: { ...BUCKET, rate: 1 } });
    const config = { ...BUCKET, rate: 1, mode: "off" } as const;
    const twins = [
      { limit: "it", key, config },
      { limit: "it", key },
    ];
    expect(limiter.limitAll(twins)).toMatchObject({ ok: false, refused: ["it"] });
    expect(limiter.limitAll(twins.toReversed())).toMatchObject({ ok: false, refused: ["it"] });
  });

  test("has no say in how long a joint lease is held", () => {
    const { limiter, clock } = limiterOf({
      jobs: JOBS,
      dark: { ...JOBS, ttl: 50, mode: "shadow" },
    });
    const { lease } = limiter.limitAll([{ limit: "jobs" }, { limit: "dark" }]);
    expect(lease?.ttl).toBe(10_000);
    clock.advance(100);
    expect(lease?.renew()).toBe(true);
    expect(lease?.release()).toBe(true);
  });

  test("heeds the signal of a call that would wait", async () => {
    const answer = Promise.withResolvers<void>();
    const inside = memoryStore();
    const execute: Store<"later">["execute"] = async (command) => {
      await answer.promise;
      return inside.execute(command);
    };
    const limits = { jobs: { ...JOBS, mode: "shadow" } } as const;
    const limiter = new RateLimiter(limits, { store: { timing: "later", execute } });
    const gone = new AbortController();
    const call = limiter.acquire("jobs", { key, wait: "1s", signal: gone.signal });
    gone.abort(new Error("gone"));
    answer.resolve();
    await expect(call).rejects.toThrow("gone");
    await expect(limiter.value("jobs", { key })).resolves.toMatchObject({ remaining: 1 });
  });

  test("does not stand in the way of others that are asked with it", () => {
    const { limiter } = limiterOf({ it: BUCKET, dark: { ...BUCKET, rate: 1, mode: "shadow" } });
    const both = [
      { limit: "dark", key },
      { limit: "it", key },
    ];
    const answers = [1, 2, 3].map(() => limiter.limitAll(both));
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(answers[1]?.decisions[0]).toMatchObject({ ok: true, shadowed: { ok: false } });
    expect(answers[2]).toMatchObject({ refused: ["it"], limit: "it", retryAfter: 5000 });
  });
});

describe("a limit that is off", () => {
  test("is not asked: the store is never called, and every call is admitted", async () => {
    const calls: StoreCall[] = [];
    const store = instrumented(memoryStore(), (call) => calls.push(call));
    const off = { it: { ...BUCKET, mode: "off" }, jobs: { ...JOBS, mode: "off" } } as const;
    const limiter = new RateLimiter(off, { store });
    const whole = { ok: true, remaining: 2, capacity: 2, retryAfter: 0, mode: "off" };
    expect(limiter.limit("it", { key, count: 9 })).toMatchObject(whole);
    expect(limiter.check("it", { key })).toMatchObject(whole);
    expect(limiter.limitAll([{ limit: "it" }, { limit: "jobs" }])).toMatchObject({ ok: true });
    expect(limiter.settle("it", { reserved: 0, used: 9 })).toMatchObject({ remaining: 2 });
    const lease = await limiter.run("jobs", { wait: "1s" }, () => "done");
    expect(lease).toBe("done");
    expect(calls).toEqual([]);
  });

  test("keeps what was counted before, for when it is on again", () => {
    const { limiter } = limiterOf({ it: BUCKET });
    limiter.limit("it", { key, count: 2 });
    limiter.setMode("off", { limit: "it" });
    expect(limiter.limit("it", { key }).ok).toBe(true);
    limiter.setMode("enforce", { limit: "it" });
    expect(limiter.limit("it", { key }).ok).toBe(false);
  });

  test("still ends what was taken while it was on", () => {
    const { limiter } = limiterOf({ jobs: JOBS });
    const lease = limiter.acquire("jobs", { key });
    limiter.setMode("off");
    expect(lease.release()).toBe(true);
    limiter.setMode("enforce");
    expect(limiter.value("jobs", { key })).toMatchObject({ remaining: 1 });
  });

  test("lets all calls go that wait for a lease", async () => {
    const { limiter } = limiterOf({ jobs: JOBS });
    limiter.acquire("jobs", { key });
    const waiting = [1, 2, 3].map(() => limiter.acquire("jobs", { key, wait: "1h" }));
    limiter.setMode("off");
    const leases = await Promise.all(waiting);
    expect(leases.map(({ ok, mode }) => [ok, mode])).toEqual([1, 2, 3].map(() => [true, "off"]));
  });
});

describe("setMode", () => {
  const limits = {
    a: { ...BUCKET, groups: ["logins", "api"] },
    b: { ...BUCKET, groups: ["api"], mode: "shadow" },
    c: BUCKET,
  } as const;

  test("replaces the mode of one limit; of groups and of all, the weakest counts", () => {
    const { limiter } = limiterOf(limits);
    const modes = () => Object.values(limiter.modes).join(" ");
    expect(modes()).toBe("enforce shadow enforce");
    limiter.setMode("enforce", { limit: "b" });
    expect(modes()).toBe("enforce enforce enforce");
    limiter.setMode("shadow", { group: "api" });
    expect(modes()).toBe("shadow shadow enforce");
    limiter.setMode("off", { group: "logins" });
    expect(modes()).toBe("off shadow enforce");
    limiter.setMode("shadow");
    expect(modes()).toBe("off shadow shadow");
    limiter.setMode("enforce", { group: "logins" });
    limiter.setMode("enforce", { group: "api" });
    limiter.setMode("enforce");
    expect(modes()).toBe("enforce enforce enforce");
  });

  test("of one limit lasts until the limit is defined anew", () => {
    const { limiter } = limiterOf(limits);
    limiter.setMode("off", { limit: "a" });
    limiter.update({ a: { ...BUCKET, mode: "shadow" } });
    expect(limiter.modes.a).toBe("shadow");
  });

  test("counts for limits that are defined later, but not for those that come with a call", () => {
    const { limiter } = limiterOf(limits);
    const config = { ...BUCKET, rate: 0 } as const;
    limiter.setMode("shadow");
    expect(limiter.limit("new", { key, config })).toMatchObject({ ok: false });
    const dark = { ...config, mode: "shadow" } as const;
    expect(limiter.limit("new", { key, config: dark })).toMatchObject({ ok: true });
    limiter.update({ d: { ...BUCKET, rate: 0 } });
    expect(limiter.limit("d")).toMatchObject({ ok: true, shadowed: { ok: false } });
  });

  test.each([
    [["enforced"], "bad-mode"],
    [[undefined], "bad-mode"],
    [["off", { limit: "d" }], "unknown-limit"],
    [["off", { group: "login" }], "unknown-group"],
    [["off", { limit: undefined }], "unknown-limit"],
    [["off", { group: undefined }], "unknown-group"],
    [["off", { groups: "api" }], "unknown-field"],
    [["off", { limit: "a", group: "api" }], "bad-option"],
    [["off", "a"], "bad-option"],
  ])("refuses %j with %s, and changes nothing", (args, code) => {
    const { limiter } = limiterOf(limits);
    const before = limiter.modes;
    expect(() => Reflect.apply(limiter.setMode, limiter, args)).toThrow(
      expect.objectContaining({ code }),
    );
    expect(limiter.modes).toEqual(before);
  });
});

test.each([
  [{ mode: "on" }, "bad-mode"],
  [{ groups: "api" }, "bad-groups"],
  [{ groups: [""] }, "bad-groups"],
])("a definition with %j is refused with %s", (fields, code) => {
  const create = () => new RateLimiter<Limits>({ it: { ...BUCKET, ...fields } as never });
  expect(create).toThrow(expect.objectContaining({ code, limit: "it" }));
});

test("calls say how their limits are enforced", () => {
  const calls: StoreCall[] = [];
  const it = { ...BUCKET, rate: 1, mode: "shadow" } as const;
  new RateLimiter({ it }, { onCall: (call) => calls.push(call) }).limit("it", { count: 2 });
  expect(calls[0]?.outcomes[0]).toMatchObject({ mode: "shadow", result: "too large", taken: 0 });
});

/** Each limit alone, so that what the others do can't matter. */
const MODES: readonly LimitMode[] = ["enforce", "shadow", "off"];
const NAMES = ["a", "b", "c"] as const;

test.each(Array.from({ length: runs(40) }, (_, seed) => ({ seed })))(
  "random joint calls in changing modes answer as one by one on copies, seed $seed",
  async ({ seed }) => {
    const random = seededRandom(seed);
    const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T;
    const clock = manualClock();
    const limits = { a: { ...BUCKET, rate: 3 }, b: BUCKET, c: { ...BUCKET, rate: 5 } } as const;
    const tested = new RateLimiter(limits, { store: later(memoryStore({ clock })) });
    const model = new RateLimiter(limits, { store: memoryStore({ clock }) });
    for (let call = 0; call < 60; call++) {
      if (random() < 0.2) tested.setMode(pick(MODES), { limit: pick(NAMES) });
      clock.advance(Math.floor(random() * 4000));
      const asks = NAMES.map((limit) => ({ limit, key, count: Math.ceil(random() * 2) }));
      const wanted = asks.filter(({ limit }) => tested.modes[limit] === "enforce");
      const dark = asks.filter(({ limit }) => tested.modes[limit] === "shadow");
      const admitted = dark.filter(({ limit, count }) => model.check(limit, { key, count }).ok);
      const refused = wanted.filter(({ limit, count }) => !model.check(limit, { key, count }).ok);
      const checked = await tested.checkAll(asks);
      const answer = await tested.limitAll(asks);
      expect(answer).toEqual(checked);
      expect(answer.refused).toEqual(refused.map(({ limit }) => limit));
      if (refused.length === 0) {
        for (const { limit, count } of [...wanted, ...admitted]) model.limit(limit, { key, count });
      }
      for (const limit of NAMES) {
        expect(await tested.value(limit, { key })).toEqual(model.value(limit, { key }));
      }
    }
  },
);
