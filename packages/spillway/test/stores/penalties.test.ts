/** Where penalties are kept: slots of a memory store, rows of SQLite, and caches of refusals. */
import { describe, expect, test } from "vitest";
import { type Limits, RateLimiter } from "../../src/index.ts";
import { planFor, Steps } from "../../src/limits/algorithms/index.ts";
import { type Penalty, State } from "../../src/limits/core/index.ts";
import { denialCache, type Executor, resilient } from "../../src/stores/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { type ManualClock, manualClock } from "../../src/testing/index.ts";
import { column, connect } from "./sqlite/drivers.ts";

const MINUTE = 60_000;
const penalty: Penalty = { after: 3, within: "5m", block: "1m", most: "1h" };
const login = { kind: "token bucket", rate: 5, period: "1h", penalty } as const;
const TOO_MANY = { count: 9 };

describe("in a memory store", () => {
  function scene(
    maxKeys = 1000,
    limits: Limits = { login, plain: { ...login, penalty: undefined } as never },
  ) {
    const clock = manualClock();
    const store = memoryStore({ clock, maxKeys, warn: () => {} });
    return { clock, store, limiter: new RateLimiter(limits, { store, warn: () => {} }) };
  }

  test("a refusal takes a place only under a limit with a penalty", () => {
    const { store, limiter } = scene();
    limiter.limit("plain", { key: "a", ...TOO_MANY });
    limiter.check("login", { key: "a", ...TOO_MANY });
    expect(store.stats().keys).toBe(0);
    limiter.limit("login", { key: "a", ...TOO_MANY });
    expect(store.stats().keys).toBe(1);
    limiter.reset("login", { key: "a" });
    expect(store.stats().keys).toBe(0);
  });

  test("a key that is only remembered for its refusals goes when these count no more", () => {
    const { clock, store, limiter } = scene();
    for (const key of ["a", "b", "c"]) limiter.limit("login", { key, ...TOO_MANY });
    clock.advance(5 * MINUTE + 60 * MINUTE - 1);
    limiter.limit("plain", { key: "d" });
    expect(store.stats().keys).toBe(4);
    clock.advance(1);
    for (const key of ["e", "f"]) limiter.limit("plain", { key });
    expect(store.stats()).toMatchObject({ keys: 3, evicted: 0 });
  });

  test("a key with refusals may be evicted, which is counted", () => {
    const { store, limiter } = scene(1);
    limiter.limit("login", { key: "a", ...TOO_MANY });
    limiter.limit("plain", { key: "b" });
    expect(store.stats()).toMatchObject({ keys: 1, evicted: 1 });
  });

  test("a refusal does not free a key that was evicted while it was refused", () => {
    const { limiter } = scene(1);
    limiter.limit("login", { key: "a", count: 5 });
    limiter.limit("plain", { key: "b" });
    expect(limiter.limit("login", { key: "a" }).ok).toBe(false);
    const asks = [{ limit: "login", key: "a", ...TOO_MANY }];
    for (let nth = 0; nth < 4; nth++) {
      expect(limiter.limit("login", { key: "a", ...TOO_MANY }).reason).toBe("too large");
      expect(limiter.limitAll(asks).reason).toBe("too large");
    }
    expect(limiter.limit("login", { key: "a" })).toMatchObject({ ok: false, reason: "limited" });
  });

  test("a joint call counts for keys that evict each other", () => {
    const { limiter } = scene(1);
    limiter.limit("login", { key: "a", ...TOO_MANY });
    const asks = ["b", "a"].map((key) => ({ limit: "login", key, ...TOO_MANY }));
    expect(limiter.limitAll(asks).ok).toBe(false);
    expect(limiter.limit("login", { key: "a", ...TOO_MANY }).reason).toBe("penalized");
    expect(limiter.check("login", { key: "b" }).ok).toBe(true);
  });
});

describe("in SQLite", () => {
  function scene(clock: ManualClock = manualClock()) {
    const database = connect(":memory:");
    const store = sqliteStore(database, { clock });
    const limiter = new RateLimiter({ login }, { store, warn: () => {} });
    const rows = () => column(database, "select definition from spillway where id <> ''");
    return { clock, database, limiter, rows };
  }

  const definition = { kind: "token bucket", rate: 5, period: 60 * MINUTE, capacity: 5 };

  test("a row has the record beside its definition, and a plain one if there is none", () => {
    const { clock, limiter, rows } = scene();
    limiter.limit("login");
    expect(rows()).toEqual([JSON.stringify(definition)]);
    limiter.limit("login", TOO_MANY);
    const refused = [1, clock() + 5 * MINUTE, 0, 0];
    expect(rows()).toEqual([JSON.stringify([JSON.stringify(definition), refused])]);
    limiter.reset("login");
    expect(rows()).toEqual([]);
    for (let nth = 0; nth < 3; nth++) limiter.limit("login", TOO_MANY);
    const end = clock() + MINUTE;
    const penalized = [0, end, 1, end + 60 * MINUTE];
    expect(rows()).toEqual([JSON.stringify([JSON.stringify(definition), penalized])]);
    limiter.unblock("login");
    expect(rows()).toEqual([]);
  });

  test("a record stays beside an override and states under other definitions", () => {
    const { limiter, rows, database, clock } = scene();
    limiter.limit("login", { count: 5 });
    for (let nth = 0; nth < 2; nth++) limiter.limit("login");
    limiter.override("login", { rate: 7, for: "1h" });
    limiter.limit("login", { count: 2 });
    const again = new RateLimiter({ login }, { store: sqliteStore(database, { clock }) });
    expect(again.limit("login")).toMatchObject({ reason: "penalized", overridden: true });
    const [own, until, record, other] = JSON.parse(rows()[0] as string);
    expect(JSON.parse(own)).toMatchObject({ rate: 7 });
    expect(until).toBe(clock() + 60 * MINUTE);
    expect(record).toHaveLength(4);
    expect(other).toMatchObject({ used: expect.any(Number) });
    expect(again.value("login")).toMatchObject({ penalized: true, overriddenFor: 60 * MINUTE });
  });

  test("a refusal that counts is written once, a refusal by a penalty is not", () => {
    const { limiter, database } = scene();
    const changes = () => column(database, "select total_changes()")[0] as number;
    for (let nth = 0; nth < 3; nth++) limiter.limit("login", TOO_MANY);
    const before = changes();
    for (let nth = 0; nth < 9; nth++) limiter.limit("login");
    limiter.check("login");
    limiter.value("login");
    expect(changes()).toBe(before);
  });
});

describe("over a network", () => {
  /** A store of one state that answers later, the number of its requests, and whether it fails. */
  function scene() {
    const clock = manualClock();
    const state = new State();
    const calls = { requests: 0, fails: false };
    const executor: Executor<"later"> = {
      timing: "later",
      name: "one state",
      penalties: true,
      async execute(commands, { observer }) {
        calls.requests++;
        if (calls.fails) throw new Error("away");
        const steps = new Steps(() => state, observer);
        return commands.map((command) => ({ answer: steps.execute(command, clock()) }));
      },
    };
    const options = { clock, instances: 1, local: memoryStore, breaker: { failures: 99 } };
    const store = denialCache(resilient(executor, options), { clock, maxAge: 3_600_000 });
    return { clock, calls, store };
  }

  const plan = planFor("login", login);
  const settings = {
    whenUnavailable: "local",
    shards: 1,
    penalty: { after: 3, within: 5 * MINUTE, block: MINUTE, most: 60 * MINUTE },
  } as const;
  const take = (count: number) => ({
    verb: "limit" as const,
    budgets: [{ plan, key: "k", count, reserve: false, settings }],
  });

  test("each refusal reaches the store, until a block is in force", async () => {
    const { clock, calls, store } = scene();
    expect(store.penalties).toBe(true);
    await store.execute(take(5));
    for (const reason of ["limited", "limited", "penalized"]) {
      expect(await store.execute(take(1))).toMatchObject([{ reason }]);
    }
    expect(calls.requests).toBe(4);
    for (let nth = 0; nth < 5; nth++) {
      expect(await store.execute(take(1))).toMatchObject([{ reason: "penalized" }]);
    }
    expect(calls.requests).toBe(4);
    clock.advance(MINUTE);
    for (const reason of ["limited", "limited", "penalized"]) {
      expect(await store.execute(take(1))).toMatchObject([{ reason }]);
    }
    expect(calls.requests).toBe(7);
    expect(await store.execute({ verb: "value", budgets: take(1).budgets as never })).toMatchObject(
      {
        blockedFor: 2 * MINUTE,
      },
    );
  });

  test("while it is away, `local` counts in this process", async () => {
    const { calls, store } = scene();
    calls.fails = true;
    await store.execute(take(5));
    for (const reason of ["limited", "limited", "penalized", "penalized"]) {
      expect(await store.execute(take(1))).toMatchObject([{ reason, degraded: true }]);
    }
    calls.fails = false;
    expect(await store.execute(take(1))).toMatchObject([{ ok: true }]);
  });
});
