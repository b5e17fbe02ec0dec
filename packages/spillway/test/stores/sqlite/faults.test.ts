/** What is answered while the database fails, and that it goes on rightly afterwards. */
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import {
  type SqliteDatabase,
  type StoreEvent,
  sqliteStore,
} from "../../../src/stores/sqlite/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { column, connect, eachDriver, tempFolder } from "./drivers.ts";

const bucket = { kind: "token bucket", rate: 6, period: "1h" } as const;
const LIMITS = {
  closed: { ...bucket, whenUnavailable: "closed" },
  open: { ...bucket, whenUnavailable: "open" },
  local: { ...bucket, whenUnavailable: "local" },
} as const;

/** A limiter on a connection, with what it tells, and the time in hand. */
function limiterOn(database: SqliteDatabase) {
  const clock = manualClock();
  const events: StoreEvent[] = [];
  const onEvent = (event: StoreEvent) => events.push(event);
  const store = sqliteStore(database, { clock, onEvent, busyTimeout: 1, instances: 2 });
  const told = () => events.splice(0).map(({ type }) => type);
  return { limiter: new RateLimiter(LIMITS, { store }), clock, told };
}

describe.each(eachDriver)("over %s, a database that others keep locked", (_, open) => {
  test("is answered for by each limit's policy", () => {
    using folder = tempFolder();
    using database = open(folder.file("limits.db"));
    using other = open(folder.file("limits.db"));
    const { limiter } = limiterOn(database);
    other.exec("begin immediate");
    const without = { degraded: true, remaining: 0 };
    const refused = { ...without, ok: false, reason: "unavailable", retryAfter: 1000 };
    expect(limiter.limit("closed")).toMatchObject(refused);
    expect(limiter.limit("open")).toMatchObject({ ...without, ok: true });
    expect(limiter.limit("local")).toMatchObject({ ok: true, degraded: true, remaining: 2 });
    expect(limiter.limitAll([{ limit: "local" }, { limit: "closed" }]).ok).toBe(false);
    expect(limiter.limit("local", { count: 2 })).toMatchObject({ ok: true, remaining: 0 });
    expect(limiter.limit("local")).toMatchObject({ ok: false, reason: "limited" });
  });

  test("has no answer for what is no ask", () => {
    using folder = tempFolder();
    using database = open(folder.file("limits.db"));
    using other = open(folder.file("limits.db"));
    const { limiter } = limiterOn(database);
    other.exec("begin immediate");
    const error = expect.objectContaining({ code: "unavailable", limit: "open" });
    expect(() => limiter.reset("open")).toThrow(error);
    expect(() => limiter.settle("open", { reserved: 1, used: 0 })).toThrow(error);
    expect(() => limiter.block("open", { for: "1m" })).toThrow(error);
    expect(() => limiter.unblock("open")).toThrow(error);
  });

  test("goes on being read", () => {
    using folder = tempFolder();
    using database = open(folder.file("limits.db"));
    using other = open(folder.file("limits.db"));
    const { limiter } = limiterOn(database);
    limiter.limit("closed", { count: 2 });
    other.exec("begin immediate");
    expect(limiter.limit("closed").degraded).toBe(true);
    expect(limiter.value("closed").remaining).toBe(4);
    expect(limiter.check("closed", { count: 4 })).toMatchObject({ ok: true, degraded: undefined });
    expect(limiter.checkAll([{ limit: "closed" }, { limit: "open" }]).degraded).toBe(undefined);
  });

  test("is tried once in a second, and then is asked again", () => {
    using folder = tempFolder();
    using database = open(folder.file("limits.db"));
    using other = open(folder.file("limits.db"));
    const { limiter, clock, told } = limiterOn(database);
    other.exec("begin immediate");
    limiter.limit("closed");
    expect(told()).toEqual(["failed", "paused", "degraded"]);
    clock.advance(999);
    expect(limiter.limit("closed").retryAfter).toBe(1);
    expect(told()).toEqual(["degraded"]);
    clock.advance(1);
    expect(limiter.limit("closed").retryAfter).toBe(1000);
    expect(told()).toEqual(["failed", "degraded"]);
    other.exec("rollback");
    expect(limiter.limit("closed").degraded).toBe(true);
    expect(told()).toEqual(["degraded"]);
    clock.advance(1000);
    expect(limiter.limit("closed")).toMatchObject({ ok: true, degraded: undefined, remaining: 5 });
    expect(told()).toEqual(["resumed"]);
    expect(column(database, "pragma busy_timeout")).toEqual([1]);
  });

  test("is no store yet", () => {
    using folder = tempFolder();
    using database = open(folder.file("limits.db"));
    using other = open(folder.file("limits.db"));
    other.exec("begin exclusive");
    const error = expect.objectContaining({ code: "unavailable", field: "database" });
    expect(() => sqliteStore(database, { busyTimeout: 1 })).toThrow(error);
    other.exec("rollback");
    expect(limiterOn(database).limiter.limit("closed").remaining).toBe(5);
  });
});

describe.each(eachDriver)("over %s", (_, open) => {
  test("a disk that is full refuses by policy, and nothing is half-written", () => {
    using folder = tempFolder();
    using database = open(folder.file("limits.db"));
    const { limiter, clock } = limiterOn(database);
    const [pages] = column(database, "pragma page_count") as [number];
    column(database, `pragma max_page_count = ${pages + 1}`);
    const users = Array.from({ length: 300 }, (_, index) => `user ${index}`);
    const answers = users.map((key) => {
      clock.advance(1000);
      return limiter.limitAll([
        { limit: "closed", key },
        { limit: "open", key },
      ]);
    });
    const taken = answers.filter(({ degraded }) => !degraded).length;
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(users.length);
    expect(column(database, "select count(*) from spillway where id <> ''")).toEqual([2 * taken]);
    column(database, "pragma max_page_count = 1000000");
    clock.advance(1000);
    expect(limiter.limit("closed", { key: "user 299" }).degraded).toBe(undefined);
  });

  test("an error half-way through several limits takes from none", () => {
    using database = open(":memory:");
    const { limiter, clock } = limiterOn(database);
    database.exec(`create trigger refuse before insert on spillway when new.id like '%:open'
      begin select raise(abort, 'not this row'); end`);
    const both = [{ limit: "closed" }, { limit: "open" }] as const;
    expect(limiter.limitAll(both)).toMatchObject({ ok: false, degraded: true });
    database.exec("drop trigger refuse");
    clock.advance(1000);
    expect(limiter.limitAll(both)).toMatchObject({ ok: true, degraded: undefined, remaining: 5 });
  });

  test("a connection that is closed is answered for", () => {
    const database = open(":memory:");
    const { limiter } = limiterOn(database);
    database[Symbol.dispose]();
    expect(limiter.limit("closed")).toMatchObject({ ok: false, reason: "unavailable" });
    expect(limiter.check("open")).toMatchObject({ ok: true, degraded: true });
    expect(limiter.check("local", { count: 3 })).toMatchObject({ ok: true, degraded: true });
    expect(limiter.limit("local", { count: 3 })).toMatchObject({ ok: true, remaining: 0 });
    const error = expect.objectContaining({ code: "unavailable" });
    expect(() => limiter.value("closed")).toThrow(error);
  });

  test.each([
    ["definition", "'not a limit'"],
    ["definition", `'{"kind":"token bucket","rate":-1,"period":1}'`],
    ["log", "x'00'"],
  ])("a row whose %s is %s is left alone, and no other suffers", (field, value) => {
    using database = open(":memory:");
    const { limiter, told } = limiterOn(database);
    for (const key of ["ann", "bob"]) limiter.limit("closed", { key });
    const where = "where id = '6:closed=ann'";
    database.exec(`update spillway set ${field} = ${value} ${where}`);
    expect(limiter.limit("closed", { key: "ann" })).toMatchObject({ reason: "unavailable" });
    expect(told()).toEqual(["failed", "degraded"]);
    expect(limiter.limit("closed", { key: "bob" }).remaining).toBe(4);
    expect(column(database, `select used / 600000 from spillway ${where}`)).toEqual([1]);
  });
});

test("a listener that throws harms nobody", () => {
  using folder = tempFolder();
  using database = connect(folder.file("limits.db"));
  using other = connect(folder.file("limits.db"));
  const onEvent = () => {
    throw new Error("not mine");
  };
  const limiter = new RateLimiter(LIMITS, {
    store: sqliteStore(database, { onEvent, busyTimeout: 0 }),
  });
  other.exec("begin immediate");
  expect(limiter.limit("open").ok).toBe(true);
});
