/** The register in SQLite: its table, and transactions of the caller. */
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { column, eachDriver, tempFolder } from "./drivers.ts";

const LIMITS = { api: { kind: "token bucket", rate: 10, period: "1m" } } as const;
const key = "k";

describe.each(eachDriver)("exceptions in a file, by %s", (_, open) => {
  test("are listed by every process, and a file without their table gets it", () => {
    using folder = tempFolder();
    using one = open(folder.file("limits.db"));
    const first = new RateLimiter(LIMITS, { store: sqliteStore(one) });
    first.limit("api", { key, count: 3 });
    one.exec("drop table spillway_exceptions");
    using other = open(folder.file("limits.db"));
    const second = new RateLimiter(LIMITS, { store: sqliteStore(other) });
    expect(second.value("api", { key }).remaining).toBeLessThan(10);
    second.block("api", { key, for: "1h", reason: "scraping" });
    expect(first.exceptions().exceptions).toMatchObject([{ key, reason: "scraping" }]);
  });

  test.each(["commit", "rollback"])("are a part of a transaction: %s", (end) => {
    using folder = tempFolder();
    using own = open(folder.file("limits.db"));
    using another = open(folder.file("limits.db"));
    const limiter = new RateLimiter(LIMITS, { store: sqliteStore(own) });
    another.exec("begin immediate");
    const inside = limiter.within(another);
    inside.block("api", { key, for: "1h", reason: "in it" });
    inside.override("api", { key, rate: 20 });
    inside.endOverride("api", { key });
    expect(inside.exceptions().exceptions).toMatchObject([{ reason: "in it" }]);
    expect(limiter.exceptions().exceptions).toEqual([]);
    another.exec(end);
    const entries = end === "commit" ? ["in it"] : [];
    expect(column(own, "select reason from spillway_exceptions")).toEqual(entries);
    expect(limiter.exceptions().exceptions.map(({ reason }) => reason)).toEqual(entries);
  });

  test("refuse a table of their name that something else made", () => {
    using folder = tempFolder();
    using database = open(folder.file("limits.db"));
    database.exec("create table spillway_exceptions (id text)");
    expect(() => sqliteStore(database)).toThrow(/spillway_exceptions/);
    expect(column(database, "select count(*) from sqlite_schema")).toEqual([1]);
  });
});
