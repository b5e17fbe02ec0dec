import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import {
  type SqliteDatabase,
  type SqliteStoreOptions,
  sqliteStore,
} from "../../../src/stores/sqlite/index.ts";
import { column, connect, eachDriver, tempFolder } from "./drivers.ts";

const LIMITS = { it: { kind: "token bucket", rate: 5, period: "1h" } } as const;
const SCHEMA = "select sql from sqlite_schema order by name";

describe("a store is refused", () => {
  test.each([
    ["a file's name", "limits.db"],
    ["nothing", undefined],
    ["something else's client", { query() {} }],
    ["a driver that does not tell of transactions", { prepare() {}, exec() {} }],
  ])("for %s", (_, given) => {
    const error = expect.objectContaining({ code: "bad-client", field: "database" });
    expect(() => sqliteStore(given as unknown as SqliteDatabase)).toThrow(error);
  });

  const wrong: readonly [string, object, string][] = [
    ["an option that is misspelt", { tabel: "a" }, "unknown-field"],
    ["a clock that is none", { clock: 5 }, "bad-clock"],
    ["a clock of half milliseconds", { clock: () => 0.5 }, "bad-clock"],
    ["half an instance", { instances: 0.5 }, "bad-option"],
    ["a listener that is none", { onEvent: true }, "bad-option"],
    ["a wait that never ends", { busyTimeout: Infinity }, "bad-option"],
    ["pragmas that are text", { pragmas: "no" }, "bad-option"],
    ["a wait that is not to be set", { pragmas: false, busyTimeout: 5 }, "bad-option"],
  ];
  test.each(wrong)("with %s, and nothing is made", (_, options, code) => {
    using database = connect(":memory:");
    const make = () => sqliteStore(database, options as SqliteStoreOptions);
    expect(make).toThrow(expect.objectContaining({ code }));
    expect(column(database, SCHEMA)).toEqual([]);
  });

  test.each([
    'spillway"; drop table orders; --',
    'a" (x); drop table orders; --',
    "orders; drop table orders",
    "main.orders",
    "a b",
    "",
    "1a",
    "sqlite_stat9",
    "SQLite_x",
    "é",
    "a\0b",
    "a".repeat(64),
    ["orders"],
    null,
  ])("with the table %j, and nothing is run", (table) => {
    using database = connect(":memory:");
    database.exec("create table orders (id)");
    const make = () => sqliteStore(database, { table: table as string });
    const error = expect.objectContaining({ code: "bad-option", field: "table" });
    expect(make).toThrow(error);
    expect(column(database, SCHEMA)).toEqual(["CREATE TABLE orders (id)"]);
  });
});

describe.each(eachDriver)("over %s", (_, open) => {
  test("a connection that is closed is refused", () => {
    const database = open(":memory:");
    database[Symbol.dispose]();
    const error = expect.objectContaining({ code: "bad-client", field: "database" });
    expect(() => sqliteStore(database)).toThrow(error);
  });

  test("a connection in a transaction is refused, for it can't be set up", () => {
    using database = open(":memory:");
    database.exec("begin");
    const error = expect.objectContaining({ code: "bad-transaction", field: "database" });
    expect(() => sqliteStore(database)).toThrow(error);
  });

  test.each(["delete", "wal"])("a read-only connection is refused, journal %s", (mode) => {
    using folder = tempFolder();
    const path = folder.file("limits.db");
    using writer = open(path);
    writer.exec("create table orders (id)");
    column(writer, `pragma journal_mode = ${mode}`);
    sqliteStore(writer, { pragmas: false });
    using reader = open(path, { readOnly: true });
    const error = expect.objectContaining({ code: "bad-client", field: "database" });
    expect(() => sqliteStore(reader)).toThrow(error);
  });

  test.each(damaged())("%s is refused, and left as it is", (_, damage) => {
    using folder = tempFolder();
    const path = folder.file("limits.db");
    damage(path);
    const before = readFileSync(path);
    using database = open(path);
    const error = expect.objectContaining({ code: "bad-client", field: "database" });
    expect(() => sqliteStore(database)).toThrow(error);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

/** Files that are no databases, or no more. */
function damaged(): readonly [string, (path: string) => void][] {
  const noise = Buffer.from(Array.from({ length: 8192 }, (_, index) => (index * 97) % 251));
  return [
    ["a text", (path) => writeFileSync(path, "limits are kept elsewhere\n".repeat(100))],
    [
      "noise behind a database's header",
      (path) => {
        const header = Buffer.from("SQLite format 3\0");
        writeFileSync(path, Buffer.concat([header, noise]));
      },
    ],
    [
      "a database whose first page is overwritten",
      (path) => {
        makeUsed(path);
        const bytes = readFileSync(path);
        noise.copy(bytes, 100, 0, 3996);
        writeFileSync(path, bytes);
      },
    ],
  ];
}

/** A database of this store's, with some rows. */
function makeUsed(path: string): void {
  using database = connect(path);
  const limiter = new RateLimiter(LIMITS, { store: sqliteStore(database) });
  for (let user = 0; user < 200; user++) limiter.limit("it", { key: `user ${user}` });
  column(database, "pragma wal_checkpoint(truncate)");
  column(database, "pragma journal_mode = delete");
}

describe("a name that is taken", () => {
  const others: readonly [string, string][] = [
    ["somebody else's table", "create table spillway (id, used)"],
    ["a table of that name in capitals", "create table SPILLWAY (id)"],
    ["a view", "create view spillway as select 1 as id"],
  ];
  test.each(others)("by %s is an error, and it is left as it is", (_, sql) => {
    using folder = tempFolder();
    using database = connect(folder.file("limits.db"));
    database.exec(sql);
    const before = column(database, SCHEMA);
    const error = expect.objectContaining({ code: "bad-schema", field: "table" });
    expect(() => sqliteStore(database)).toThrow(error);
    expect(column(database, SCHEMA)).toEqual(before);
    expect(column(database, "pragma journal_mode")).toEqual(["delete"]);
  });

  test("by a table of another version is told so", () => {
    using database = connect(":memory:");
    sqliteStore(database);
    const [sql] = column(database, SCHEMA) as [string];
    database.exec("drop table spillway");
    database.exec(sql.replace("spillway 1 ", "spillway 7 "));
    expect(() => sqliteStore(database)).toThrow("The table has version 7");
  });

  test("by a temporary table does not matter", () => {
    using database = connect(":memory:");
    database.exec("create temp table spillway (id)");
    const limiter = new RateLimiter(LIMITS, { store: sqliteStore(database) });
    limiter.limit("it");
    expect(column(database, "select count(*) from main.spillway where id <> ''")).toEqual([1]);
  });
});

test("the connection is set up, or left alone", () => {
  using folder = tempFolder();
  using database = connect(folder.file("limits.db"));
  const settings = () =>
    ["journal_mode", "synchronous", "busy_timeout"].flatMap((name) =>
      column(database, `pragma ${name}`),
    );
  const before = settings();
  sqliteStore(database, { pragmas: false });
  expect(settings()).toEqual(before);
  sqliteStore(database);
  expect(settings()).toEqual(["wal", 1, 1000]);
  sqliteStore(database, { busyTimeout: 20 });
  expect(settings()).toEqual(["wal", 1, 20]);
});

test("settings of a driver that change what rows look like do not matter", async () => {
  const { DatabaseSync } = await import("node:sqlite");
  const { default: Better } = await import("better-sqlite3");
  const bigints = new Better(":memory:");
  bigints.defaultSafeIntegers();
  const odd = new DatabaseSync(":memory:", { readBigInts: true, returnArrays: true });
  for (const database of [bigints, odd]) {
    const limiter = new RateLimiter(LIMITS, { store: sqliteStore(database) });
    limiter.limit("it");
    expect(limiter.limit("it")).toMatchObject({ ok: true, remaining: 3 });
    database.close();
  }
});

test("two tables of one file are two sets of budgets, and one table is one", () => {
  using folder = tempFolder();
  const path = folder.file("limits.db");
  using one = connect(path);
  using other = connect(path);
  const limiterOn = (database: SqliteDatabase, table: string) =>
    new RateLimiter(LIMITS, { store: sqliteStore(database, { table }) });
  limiterOn(one, "a").limit("it", { count: 2 });
  limiterOn(one, "b").limit("it", { count: 3 });
  expect(limiterOn(other, "a").value("it").remaining).toBe(3);
  expect(limiterOn(other, "b").value("it").remaining).toBe(2);
});
