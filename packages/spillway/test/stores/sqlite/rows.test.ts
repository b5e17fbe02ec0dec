/** What the table holds: nothing that is not needed, and nothing too little. */
import { describe, expect, test } from "vitest";
import { type Rate, RateLimiter } from "../../../src/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { type ManualClock, manualClock } from "../../../src/testing/index.ts";
import { KINDS } from "../../laws/arbitrary.ts";
import { column, connect } from "./drivers.ts";

const COUNT = "select count(*) from spillway where id <> ''";
const CHANGES = "select total_changes()";

function opened(limit: Rate, clock: ManualClock = manualClock()) {
  const database = connect(":memory:");
  const limiter = new RateLimiter({ it: limit }, { store: sqliteStore(database, { clock }) });
  const rows = () => column(database, COUNT)[0] as number;
  const changes = () => column(database, CHANGES)[0] as number;
  const close = () => database[Symbol.dispose]();
  return { database, limiter, clock, rows, changes, [Symbol.dispose]: close };
}

/** Five units in ten seconds, of any kind. */
function five(kind: Rate["kind"]): Rate {
  return { kind, rate: 5, period: "10s" };
}

describe.each(KINDS)("under a %s", (kind) => {
  test("a refusal and a look write nothing", () => {
    using it = opened(five(kind));
    expect(it.limiter.limit("it", { key: "new", count: 9 }).ok).toBe(false);
    it.limiter.limit("it", { count: 5 });
    const before = it.changes();
    expect(it.limiter.limit("it").ok).toBe(false);
    expect(it.limiter.limitAll([{ limit: "it" }, { limit: "it", key: "k" }]).ok).toBe(false);
    expect(it.limiter.limit("it", { key: "k", count: 0 }).ok).toBe(true);
    for (const key of [{}, { key: "k" }]) {
      it.limiter.check("it", key);
      it.limiter.value("it", key);
    }
    it.limiter.checkAll([{ limit: "it" }, { limit: "it", key: "k" }]);
    expect(it.changes()).toBe(before);
    expect(it.rows()).toBe(1);
  });

  test("what equals a fresh key is no row", () => {
    using it = opened(five(kind));
    it.limiter.limit("it", { count: 3 });
    it.limiter.reset("it");
    expect(it.rows()).toBe(0);
    it.limiter.block("it", { for: "1m" });
    it.limiter.reset("it");
    expect(it.rows()).toBe(1);
    it.limiter.unblock("it");
    expect(it.rows()).toBe(0);
  });

  test("what never comes back stays", () => {
    using it = opened({ kind, rate: 0, period: "1s" });
    it.limiter.settle("it", { reserved: 0, used: 3 });
    const before = it.limiter.value("it");
    it.clock.advance(3_600_000);
    for (let user = 0; user < 200; user++) it.limiter.block("it", { key: `${user}`, for: "1s" });
    const comesBack = before.resetAfter < Infinity;
    expect(it.rows()).toBe(comesBack ? 200 : 201);
  });

  test("a flood of new keys leaves a table of the size of those that are alive", () => {
    using it = opened(five(kind));
    // A key is fresh after two seconds or ten, or twenty, and is kept a period longer.
    const alive = 30_000 / 10;
    let most = 0;
    for (let user = 0; user < 9000; user++) {
      it.clock.advance(10);
      it.limiter.limit("it", { key: `user ${user}` });
      if (user % 100 === 0) most = Math.max(most, it.rows());
    }
    expect(most).toBeLessThan(1.5 * alive);
  });

  test("no key is swept that is still in use", () => {
    using it = opened(five(kind));
    it.limiter.limit("it", { key: "banned", count: 5 });
    it.limiter.block("it", { key: "banned", for: "1h" });
    it.limiter.limit("it", { key: "banned too", count: 5, reserve: false });
    for (let user = 0; user < 3000; user++) it.limiter.limit("it", { key: `user ${user}` });
    expect(it.limiter.check("it", { key: "banned" }).reason).toBe("blocked");
    expect(it.limiter.check("it", { key: "banned too" }).ok).toBe(false);
    expect(it.rows()).toBe(3002);
  });
});

test("programs that write once and end sweep the table all the same", () => {
  const clock = manualClock();
  using database = connect(":memory:");
  const limiterOf = () =>
    new RateLimiter({ it: five("fixed window") }, { store: sqliteStore(database, { clock }) });
  const first = limiterOf();
  for (let user = 0; user < 300; user++) first.block("it", { key: `banned ${user}`, for: "30d" });
  for (let run = 0; run < 1000; run++) {
    clock.advance(10_000);
    limiterOf().limit("it", { key: `day ${run}` });
  }
  expect(column(database, COUNT)[0]).toBeLessThan(300 + 10);
});

test("what transactions of the caller's write is swept too", () => {
  using it = opened(five("token bucket"));
  for (let user = 0; user < 2000; user++) {
    it.clock.advance(1000);
    it.database.exec("begin");
    it.limiter.within(it.database).limit("it", { key: `user ${user}` });
    it.database.exec("commit");
  }
  expect(it.rows()).toBeLessThan(100);
});

test("a clock that goes back finds what was used, though it was fresh", () => {
  using it = opened(five("token bucket"));
  it.limiter.limit("it", { key: "k", count: 5 });
  it.clock.advance(10_001);
  for (let user = 0; user < 2000; user++) it.limiter.limit("it", { key: `user ${user}` });
  it.clock.advance(-8001);
  expect(it.limiter.value("it", { key: "k" }).remaining).toBe(1);
});

test("and so it does where a block was ended meanwhile", () => {
  using it = opened(five("token bucket"));
  it.limiter.limit("it", { key: "k", count: 5 });
  it.limiter.block("it", { key: "k", for: "1h" });
  it.clock.advance(10_001);
  it.limiter.unblock("it", { key: "k" });
  it.clock.advance(-8001);
  expect(it.limiter.value("it", { key: "k" }).remaining).toBe(1);
});

test("a limit that has changed counts at its new pace from when it was first asked", () => {
  const clock = manualClock();
  using database = connect(":memory:");
  const store = sqliteStore(database, { clock });
  const limiterOf = (rate: number) =>
    new RateLimiter({ it: { kind: "token bucket", rate, period: "10s", capacity: 5 } }, { store });
  limiterOf(3).limit("it", { count: 3 });
  limiterOf(7).value("it");
  clock.advance(2000);
  expect(limiterOf(7).value("it").remaining).toBe(3);
});

test("a row can be read by people", () => {
  using it = opened({ kind: "fixed window", rate: 3, period: "1h", capacity: 9, start: 0 });
  it.limiter.limit("it", { key: "user 7", count: 4 });
  expect(column(it.database, "select id from spillway where id <> ''")).toEqual(["2:it=user 7"]);
  expect(column(it.database, "select used from spillway where id <> ''")).toEqual([4]);
  const definition = '{"kind":"fixed window","rate":3,"period":3600000,"capacity":9,"start":0}';
  expect(column(it.database, "select definition from spillway where id <> ''")).toEqual([
    definition,
  ]);
});
