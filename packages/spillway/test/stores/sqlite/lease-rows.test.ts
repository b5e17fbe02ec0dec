/** What a concurrency limit writes: only what has changed. Counted by the database itself. */
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { type SqliteDatabase, sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { column, eachDriver, tempFolder } from "./drivers.ts";

const LIMITS = { reports: { kind: "concurrency", capacity: 2, ttl: "1m" } } as const;

function limiterOn(database: SqliteDatabase, busyTimeout = 1) {
  const clock = manualClock();
  const store = sqliteStore(database, { clock, busyTimeout });
  return { limiter: new RateLimiter(LIMITS, { store }), clock };
}

describe.each(eachDriver)("over %s", (_, open) => {
  test("what changes no lease writes nothing", () => {
    using folder = tempFolder();
    using database = open(folder.file("limits.db"));
    using other = open(folder.file("limits.db"));
    const { limiter, clock } = limiterOn(database);
    const lease = limiter.acquire("reports", { key: "k", count: 2 });
    const writes = () => [
      ...column(database, "select total_changes()"),
      // Of another connection: it counts what others have committed to the file.
      ...column(other, "pragma data_version"),
    ];
    const before = writes();
    clock.advance(1000);
    limiter.check("reports", { key: "k" });
    limiter.value("reports", { key: "k" });
    limiter.checkAll([{ limit: "reports", key: "k" }, { limit: "reports" }]);
    expect(limiter.acquire("reports", { key: "k" }).ok).toBe(false);
    expect(limiter.acquire("reports", { key: "k", count: 0 }).ok).toBe(false);
    expect(limiter.limitAll([{ limit: "reports" }, { limit: "reports", key: "k" }]).ok).toBe(false);
    expect(writes()).toEqual(before);
    expect(lease.renew()).toBe(true);
    expect(writes()).not.toEqual(before);
  });

  test("a look does not wait for others who write", () => {
    using folder = tempFolder();
    using database = open(folder.file("limits.db"));
    using other = open(folder.file("limits.db"));
    // If it waited, it would wait for longer than a test may take.
    const { limiter } = limiterOn(database, 60_000);
    limiter.acquire("reports");
    other.exec("begin immediate");
    expect(limiter.value("reports")).toMatchObject({ remaining: 1 });
    expect(limiter.check("reports")).toMatchObject({ ok: true, remaining: 0 });
  });

  test("a release that frees a lease under another definition alone is written", () => {
    using database = open(":memory:");
    const clock = manualClock();
    const store = sqliteStore(database, { clock });
    const lasting = (ttl: "1m" | "1s") =>
      new RateLimiter({ reports: { kind: "concurrency", capacity: 5, ttl } } as const, { store });
    const [old, changed] = [lasting("1m"), lasting("1s")];
    old.acquire("reports");
    const lease = changed.acquire("reports");
    clock.advance(2000);
    // Forgets the one that is over under its own definition.
    changed.acquire("reports");
    // Under the other one it would last for a minute.
    expect(lease.release()).toBe(false);
    expect(old.value("reports").remaining).toBe(3);
  });

  test("a lease renewed in the millisecond in which another was taken lasts as long", () => {
    using database = open(":memory:");
    const { limiter, clock } = limiterOn(database);
    const first = limiter.acquire("reports");
    clock.advance(30_000);
    limiter.acquire("reports");
    expect(first.renew()).toBe(true);
    clock.advance(59_999);
    expect(first.renew()).toBe(true);
  });
});
