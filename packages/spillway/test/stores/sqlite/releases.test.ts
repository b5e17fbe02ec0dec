/** A release that can't be carried out is kept, and is carried out by itself once it can. */
import { describe, expect, test } from "vitest";
import { type Lease, RateLimiter } from "../../../src/limiter/index.ts";
import {
  type SqliteDatabase,
  type StoreEvent,
  sqliteStore,
} from "../../../src/stores/sqlite/index.ts";
import { type ManualClock, manualClock } from "../../../src/testing/index.ts";
import { until } from "../../servers/until.ts";
import { eachDriver, tempFolder } from "./drivers.ts";

const TTL = 3_600_000;
const LIMITS = { jobs: { kind: "concurrency", capacity: 3, ttl: TTL } } as const;
const key = "k";

function limiterOn(database: SqliteDatabase, clock: ManualClock) {
  const events: StoreEvent[] = [];
  const onEvent = (event: StoreEvent) => events.push(event);
  const store = sqliteStore(database, { clock, onEvent, busyTimeout: 1 });
  return { limiter: new RateLimiter(LIMITS, { store }), events };
}

/** Asks nothing of the limiter that is under test. */
function inFlightBy(limiter: RateLimiter<typeof LIMITS, "now">): number {
  return 3 - limiter.value("jobs", { key }).remaining;
}

describe.each(eachDriver)("over %s", (_, open) => {
  /** A limiter, another one on the same file, and a connection that is in the way. */
  function setUp() {
    const folder = tempFolder();
    const [own, others, locker] = ["limits.db", "limits.db", "limits.db"].map((name) =>
      open(folder.file(name)),
    ) as [ReturnType<typeof open>, ReturnType<typeof open>, ReturnType<typeof open>];
    const clock = manualClock();
    const { limiter, events } = limiterOn(own, clock);
    const { limiter: other } = limiterOn(others, clock);
    const close = () => {
      for (const each of [own, others, locker, folder]) each[Symbol.dispose]();
    };
    const inFlight = () => inFlightBy(other);
    return { own, locker, clock, limiter, events, inFlight, [Symbol.dispose]: close };
  }

  test("while others keep the database locked: it comes back when they let go", async () => {
    using all = setUp();
    const leases = Array.from({ length: 3 }, () => all.limiter.acquire("jobs", { key }));
    all.locker.exec("begin immediate");
    for (const lease of leases) expect(lease.release()).toBe(false);
    expect(all.inFlight()).toBe(3);
    all.locker.exec("commit");
    // Nobody asks: the store itself tries again after its pause.
    all.clock.advance(1000);
    await until(async () => all.inFlight() === 0, { what: "they are given back" });
    expect(all.events.map(({ type }) => type)).toEqual(["failed", "paused", "resumed"]);
    // Once is enough.
    const next = all.limiter.acquire("jobs", { key });
    expect([next.ok, all.inFlight()]).toEqual([true, 1]);
  });

  test.each(["commit", "rollback"])(
    "while a transaction is open on the store's own connection, which ends by %s",
    async (end) => {
      using all = setUp();
      const lease = all.limiter.acquire("jobs", { key });
      all.own.exec("begin immediate; create table orders (id)");
      expect(() => lease.renew()).toThrow(expect.objectContaining({ code: "unavailable" }));
      expect(lease.release()).toBe(false);
      expect(all.inFlight()).toBe(1);
      all.own.exec(end);
      await until(async () => all.inFlight() === 0, { what: "it is given back" });
      expect(all.events).toEqual([]);
    },
  );

  test("first of all, where the store is asked before it tries again", () => {
    using all = setUp();
    const leases = Array.from({ length: 3 }, () => all.limiter.acquire("jobs", { key }));
    all.own.exec("begin");
    for (const lease of leases) lease.release();
    all.own.exec("commit");
    expect(all.limiter.acquire("jobs", { key, count: 3 }).ok).toBe(true);
    expect(all.inFlight()).toBe(3);
  });

  test("when the code is done that has ended the transaction, for a program may end then", async () => {
    using all = setUp();
    const leases = Array.from({ length: 3 }, () => all.limiter.acquire("jobs", { key }));
    all.own.exec("begin");
    for (const lease of leases) lease.release();
    all.own.exec("commit");
    expect(all.inFlight()).toBe(3);
    await undefined;
    expect(all.inFlight()).toBe(0);
  });

  test("what was held up does not hold up whoever asks: so many at once, and the rest soon", async () => {
    using database = open(":memory:");
    const capacity = 1000;
    const limits = { jobs: { kind: "concurrency", capacity, ttl: TTL } } as const;
    const limiter = new RateLimiter(limits, { store: sqliteStore(database) });
    const leases: Lease<"now">[] = [];
    for (let each = 0; each < capacity; each++) leases.push(limiter.acquire("jobs"));
    database.exec("begin");
    for (const lease of leases) lease.release();
    database.exec("commit");
    expect(limiter.value("jobs").remaining).toBe(256);
    const isFree = async () => limiter.value("jobs").remaining === capacity;
    await until(isFree, { what: "all are given back" });
  });
});
