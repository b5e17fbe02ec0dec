/** What is taken in a transaction of the caller's is so when it commits, and never was when not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { type SqliteDatabase, sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import { column, connect, eachDriver, tempFolder } from "./drivers.ts";

const LIMITS = {
  orders: { kind: "fixed window", rate: 12, period: "30d", start: 0 },
  parcels: { kind: "sliding log", rate: 12, period: "30d" },
  calls: { kind: "token bucket", rate: 5, period: "1h" },
} as const;

const ROWS = "select count(*) from spillway where id <> ''";

function limiterOn(database: SqliteDatabase) {
  return new RateLimiter(LIMITS, { store: sqliteStore(database, { clock: manualClock() }) });
}

/** A piece of work in a transaction: an order, or a savepoint with work in it. */
type Work = { readonly order: number } | { readonly kept: boolean; readonly inner: Work[] };

const work = fc.letrec<{ work: Work }>((tie) => ({
  work: fc.oneof(
    { depthSize: "small" },
    fc.record({ order: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kept: fc.boolean(), inner: fc.array(tie("work"), { maxLength: 4 }) }),
  ),
})).work;

const transaction = fc.record({ kept: fc.boolean(), inner: fc.array(work, { maxLength: 6 }) });

describe.each(eachDriver)("within a transaction of %s", (_, open) => {
  test.each(["the store's own connection", "another connection"])(
    "limits and rows agree, on %s",
    (whose) => {
      const one = fc.property(fc.array(transaction, { maxLength: 8 }), (transactions) => {
        using folder = tempFolder();
        using own = open(folder.file("shop.db"));
        using another = open(folder.file("shop.db"));
        const limiter = limiterOn(own);
        const database = whose === "another connection" ? another : own;
        database.exec("create table orders (id integer primary key)");
        for (const each of transactions) {
          database.exec("begin");
          for (const piece of each.inner) carryOut(piece, database, limiter);
          database.exec(each.kept ? "commit" : "rollback");
          const [orders] = column(database, "select count(*) from orders") as [number];
          expect(limiter.value("orders", { key: "shop" }).remaining).toBe(12 - orders);
          expect(limiter.value("parcels").remaining).toBe(12 - orders);
        }
      });
      fc.assert(one, { numRuns: runs(30) });
    },
  );

  test("others see nothing of it before it commits, and wait for it", () => {
    using folder = tempFolder();
    using own = open(folder.file("shop.db"));
    using another = open(folder.file("shop.db"));
    const limiter = limiterOn(own);
    another.exec("begin immediate");
    limiter.within(another).limit("calls", { count: 5 });
    expect(limiter.within(another).value("calls").remaining).toBe(0);
    expect(limiter.value("calls").remaining).toBe(5);
    another.exec("commit");
    expect(limiter.limit("calls").ok).toBe(false);
  });

  test("an error half-way leaves what was there, and the transaction as it was", () => {
    using database = open(":memory:");
    const limiter = limiterOn(database);
    refuseRows(database, "calls");
    database.exec("begin; create table orders (id)");
    const both = [{ limit: "orders" }, { limit: "calls" }] as const;
    expect(() => limiter.within(database).limitAll(both)).toThrow("not this row");
    expect(limiter.within(database).limit("orders").remaining).toBe(11);
    database.exec("commit");
    expect(limiter.value("orders").remaining).toBe(11);
    expect(column(database, "select count(*) from orders")).toEqual([0]);
  });

  test("a limit that has changed since is followed", () => {
    using database = open(":memory:");
    const store = sqliteStore(database, { clock: manualClock() });
    const limiter = new RateLimiter(LIMITS, { store });
    database.exec("begin");
    limiter.within(database).limit("calls", { count: 3 });
    database.exec("commit");
    const calls = { kind: "fixed window", rate: 9, period: "1h", start: 0 } as const;
    const changed = new RateLimiter({ calls }, { store });
    database.exec("begin");
    expect(changed.within(database).limit("calls", { count: 7 }).ok).toBe(false);
    expect(changed.within(database).limit("calls", { count: 6 }).remaining).toBe(0);
    database.exec("rollback");
    expect(limiter.value("calls").remaining).toBe(2);
  });

  test("settling, resetting and blocking are part of it too", () => {
    using database = open(":memory:");
    const limiter = limiterOn(database);
    limiter.limit("calls", { count: 4 });
    for (const [end, remaining, blockedFor] of [
      ["rollback", 1, 0],
      ["commit", 5, 1000],
    ] as const) {
      database.exec("begin");
      const within = limiter.within(database);
      expect(within.settle("calls", { reserved: 4, used: 2 }).remaining).toBe(3);
      within.reset("calls");
      within.block("calls", { for: 9 });
      within.unblock("calls");
      within.block("calls", { for: 1000 });
      expect(within.check("calls").reason).toBe("blocked");
      database.exec(end);
      expect(limiter.value("calls")).toMatchObject({ remaining, blockedFor });
    }
  });

  test("where none is open it is refused, before anything is touched", () => {
    using database = open(":memory:");
    const limiter = limiterOn(database);
    const error = expect.objectContaining({ code: "bad-transaction", field: "transaction" });
    expect(() => limiter.within(database)).toThrow(error);
    database.exec("begin");
    const within = limiter.within(database);
    database.exec("commit");
    for (const ask of [() => within.limit("calls"), () => within.value("calls")]) {
      expect(ask).toThrow(error);
    }
    expect(column(database, ROWS)).toEqual([0]);
  });

  test("one that nobody has told of is refused, with the way out", () => {
    using database = open(":memory:");
    const limiter = limiterOn(database);
    database.exec("begin");
    const error = expect.objectContaining({
      code: "bad-transaction",
      field: "database",
      hint: expect.stringContaining("limiter.within(database)"),
    });
    expect(() => limiter.limit("calls")).toThrow(error);
    expect(() => limiter.value("calls")).toThrow(error);
    expect(column(database, ROWS)).toEqual([0]);
    database.exec("commit");
    expect(limiter.limit("calls")).toMatchObject({ ok: true, degraded: undefined, remaining: 4 });
  });

  test("what is no such connection is refused", () => {
    using database = open(":memory:");
    using elsewhere = open(":memory:");
    using closed = open(":memory:");
    closed[Symbol.dispose]();
    elsewhere.exec("begin");
    const limiter = limiterOn(database);
    const error = expect.objectContaining({ code: "bad-transaction", field: "transaction" });
    for (const given of [{}, undefined, "begin", elsewhere, closed]) {
      expect(() => limiter.within(given as object)).toThrow(error);
    }
  });
});

test("better-sqlite3's own transactions are transactions", async () => {
  const { default: Better } = await import("better-sqlite3");
  const database = new Better(":memory:");
  const limiter = limiterOn(database);
  const order = database.transaction((count: number) => {
    limiter.within(database).limit("calls", { count, throws: true });
  });
  order(3);
  expect(() => order(3)).toThrow(expect.objectContaining({ code: "limited" }));
  database.transaction(() => {
    order(1);
    expect(() => order(3)).toThrow(expect.objectContaining({ code: "limited" }));
  })();
  expect(limiter.value("calls").remaining).toBe(1);
});

test("what fails in it is thrown as it is, and not answered by policy", () => {
  using folder = tempFolder();
  using own = connect(folder.file("shop.db"));
  using another = connect(folder.file("shop.db"));
  using third = connect(folder.file("shop.db"));
  const limiter = limiterOn(own);
  another.exec("begin");
  third.exec("begin immediate");
  expect(() => limiter.within(another).limit("calls")).toThrow("database is locked");
  third.exec("commit");
  expect(limiter.within(another).limit("calls").remaining).toBe(4);
});

/** Writes an order and takes a unit for it, or does so in a savepoint. */
function carryOut(
  piece: Work,
  database: SqliteDatabase,
  limiter: ReturnType<typeof limiterOn>,
): void {
  if ("order" in piece) {
    for (let left = piece.order; left > 0; left--) order(database, limiter);
    return;
  }
  database.exec("savepoint spillway");
  for (const each of piece.inner) carryOut(each, database, limiter);
  database.exec(piece.kept ? "release spillway" : "rollback to spillway; release spillway");
}

function order(database: SqliteDatabase, limiter: ReturnType<typeof limiterOn>): void {
  const asks = [{ limit: "orders", key: "shop" }, { limit: "parcels" }] as const;
  if (limiter.within(database).limitAll(asks).ok) {
    database.exec("insert into orders default values");
  }
}

/** Makes the database fail whenever a row of a limit is written. */
function refuseRows(database: SqliteDatabase, limit: string): void {
  database.exec(`create trigger refuse before insert on spillway when new.id like '%:${limit}'
    begin select raise(abort, 'not this row'); end`);
}
