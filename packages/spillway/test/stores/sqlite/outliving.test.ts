/** Leases that outlive the transaction in which they were taken, whatever its connection is used for afterwards. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Lease, RateLimiter } from "../../../src/limiter/index.ts";
import { type StoreEvent, sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { type ManualClock, manualClock } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import { until } from "../../servers/until.ts";
import { type Connection, eachDriver, tempFolder } from "./drivers.ts";

const TTL = 60_000;
const LIMITS = {
  jobs: { kind: "concurrency", capacity: 5, ttl: TTL },
  places: { kind: "concurrency", capacity: 5, ttl: TTL, share: "10s" },
} as const;
const key = "k";

/** What is done with a lease, and how many are in flight then. */
const ACTIONS = {
  release: { act: (lease: Lease<"now">) => lease.release(), left: 0 },
  renew: { act: (lease: Lease<"now">) => lease.renew(), left: 1 },
} as const;
const actions = Object.entries(ACTIONS);

/** How a transaction begins that has nothing to do with the lease, and whether it keeps others from writing. */
const OTHERS = [
  { begin: "begin", locks: false },
  { begin: "begin; select count(*) from orders", locks: false },
  { begin: "begin; insert into orders default values", locks: true },
  { begin: "begin immediate", locks: true },
  { begin: "savepoint theirs; insert into orders default values", locks: true },
] as const;

/** A limiter on a connection of its own, a connection for transactions, and one for looking at what came of it. */
class Scene implements Disposable {
  readonly #folder = tempFolder();
  readonly #file = this.#folder.file("shop.db");
  readonly clock: ManualClock = manualClock();
  readonly events: StoreEvent[] = [];
  readonly own: Connection;
  readonly shop: Connection;
  readonly third: Connection;
  readonly limiter: RateLimiter<typeof LIMITS, "now">;
  readonly #observer: RateLimiter<typeof LIMITS, "now">;

  constructor(open: (path: string) => Connection) {
    [this.own, this.shop, this.third] = [open(this.#file), open(this.#file), open(this.#file)];
    for (const each of [this.shop, this.third]) each.exec("pragma busy_timeout = 0");
    const { clock } = this;
    const onEvent = (event: StoreEvent) => this.events.push(event);
    this.limiter = new RateLimiter(LIMITS, { store: sqliteStore(this.own, { clock, onEvent }) });
    const watching = sqliteStore(open(this.#file), { clock });
    this.#observer = new RateLimiter(LIMITS, { store: watching });
    this.third.exec("create table orders (id integer primary key)");
  }

  /** As others see it. */
  get inFlight(): number {
    return 5 - this.#observer.value("jobs", { key }).remaining;
  }

  /** Takes a lease in a transaction, which ends so. */
  take(end: "commit" | "rollback", database = this.shop): Lease<"now"> {
    database.exec("begin immediate");
    const lease = this.limiter.within(database).acquire("jobs", { key });
    expect(lease.ok).toBe(true);
    database.exec(end);
    return lease;
  }

  [Symbol.dispose](): void {
    for (const each of [this.own, this.shop, this.third, this.#folder]) each[Symbol.dispose]();
  }
}

describe.each(eachDriver)("a lease taken in a transaction of %s", (_, open) => {
  test.each(actions)("is the store's own once that is committed: %s", (_, { act, left }) => {
    using scene = new Scene(open);
    expect(act(scene.take("commit"))).toBe(true);
    expect(scene.inFlight).toBe(left);
  });

  test.each(actions)("never was once that is rolled back: %s", (_, { act }) => {
    using scene = new Scene(open);
    expect(act(scene.take("rollback"))).toBe(false);
    expect(scene.inFlight).toBe(0);
  });

  describe.each(OTHERS)("while its connection is in another one: $begin", ({ begin, locks }) => {
    test.each(
      actions.flatMap(([name, does]) => [
        [name, "commit", does] as const,
        [name, "rollback", does] as const,
      ]),
    )("is not touched by that: %s, then %s", async (action, end, { act, left }) => {
      using scene = new Scene(open);
      const lease = scene.take("commit");
      scene.shop.exec(begin);
      scene.clock.advance(TTL / 2);
      const answer = answerOf(() => act(lease));
      if (!locks) {
        expect(answer).toBe(true);
        expect(scene.inFlight).toBe(left);
        // Nobody has made it one that writes, nor one that has read.
        scene.third.exec("begin immediate; insert into orders default values; commit");
      } else expect(answer).toBe(action === "release" ? false : "unavailable");
      if (!begin.includes("select")) scene.shop.exec("insert into orders default values");
      scene.shop.exec(begin.startsWith("savepoint") && end === "commit" ? "release theirs" : end);
      // What could not be done then is done by itself, if it is a release.
      await until(async () => scene.inFlight === left, { what: "it is given back" });
      expect(scene.events).toEqual([]);
      if (action === "release") return;
      if (locks) expect(act(lease)).toBe(true);
      scene.clock.advance(TTL - 1);
      expect(scene.inFlight).toBe(1);
    });

    test.each(actions)("never was once its own was rolled back: %s", (_, { act }) => {
      using scene = new Scene(open);
      const lease = scene.take("rollback");
      scene.shop.exec(begin);
      expect([false, "unavailable"]).toContain(answerOf(() => act(lease)));
      if (!locks) scene.third.exec("begin immediate; insert into orders default values; commit");
      if (!begin.includes("select")) scene.shop.exec("insert into orders default values");
      scene.shop.exec("commit");
      expect(answerOf(() => act(lease))).toBe(false);
      expect(scene.inFlight).toBe(0);
      expect(scene.events).toEqual([]);
    });
  });

  test.each(actions)(
    "never was, though others keep the lock that its own had: %s",
    (_, { act }) => {
      using scene = new Scene(open);
      const lease = scene.take("rollback");
      scene.shop.exec("begin");
      scene.third.exec("begin immediate");
      expect(act(lease)).toBe(false);
      scene.third.exec("commit");
      expect(scene.inFlight).toBe(0);
    },
  );

  test.each(actions)("is part of it while it is open: %s", (action, { act, left }) => {
    for (const end of ["rollback", "commit"]) {
      using scene = new Scene(open);
      scene.shop.exec("begin; insert into orders default values");
      const inside = scene.limiter.within(scene.shop);
      const lease = inside.acquire("jobs", { key });
      scene.shop.exec("savepoint theirs");
      expect(act(lease)).toBe(true);
      scene.shop.exec("release theirs");
      expect(inside.value("jobs", { key }).remaining).toBe(5 - left);
      if (action === "release") expect(lease.renew()).toBe(false);
      expect(scene.inFlight).toBe(0);
      scene.shop.exec(end);
      expect(scene.inFlight).toBe(end === "commit" ? left : 0);
      expect(scene.events).toEqual([]);
    }
  });

  test("is over when its time is, inside and outside", () => {
    for (const action of Object.values(ACTIONS)) {
      using scene = new Scene(open);
      const lease = scene.take("commit");
      scene.shop.exec("begin immediate");
      const inside = scene.limiter.within(scene.shop).acquire("jobs", { key });
      scene.clock.advance(TTL);
      expect(action.act(inside)).toBe(false);
      scene.shop.exec("commit");
      expect(action.act(lease)).toBe(false);
      expect(scene.inFlight).toBe(0);
    }
  });

  test("is the store's own where places are shared as well", () => {
    using scene = new Scene(open);
    scene.shop.exec("begin immediate");
    const lease = scene.limiter.within(scene.shop).acquire("places", { key });
    scene.shop.exec("commit; begin");
    expect(lease.release()).toBe(true);
    scene.shop.exec("rollback");
    expect(scene.limiter.value("places", { key }).remaining).toBe(5);
  });

  test.each(["commit", "rollback"] as const)(
    "on the store's own connection it is given back when that is free, after %s",
    async (end) => {
      using scene = new Scene(open);
      const lease = scene.take("commit", scene.own);
      scene.own.exec("begin immediate; insert into orders default values");
      expect(answerOf(() => lease.renew())).toBe("unavailable");
      expect(lease.release()).toBe(false);
      expect(scene.limiter.within(scene.own).value("jobs", { key }).remaining).toBe(4);
      scene.own.exec(end);
      await until(async () => scene.inFlight === 0, { what: "it is given back" });
    },
  );

  test("on the store's own connection, nothing is left of what its transaction takes and gives back", () => {
    for (const end of ["commit", "rollback"]) {
      using scene = new Scene(open);
      scene.own.exec("begin");
      scene.limiter.within(scene.own).acquire("jobs", { key, count: 5 }).release();
      scene.own.exec(end);
      // The next call finds it given back, though nothing was waited for.
      expect(scene.limiter.acquire("jobs", { key, count: 5 }).ok).toBe(true);
    }
  });
});

/** What happens on one of two connections. */
const step = fc.record({
  on: fc.constantFrom("own", "shop", "third"),
  does: fc.oneof(
    fc.record({
      sql: fc.constantFrom(
        "begin",
        "begin immediate",
        "commit",
        "rollback",
        "insert into orders default values",
        "select * from orders",
      ),
    }),
    fc.record({ lease: fc.constantFrom("acquire") }),
    fc.record({ lease: fc.constantFrom("release", "renew"), which: fc.nat({ max: 5 }) }),
  ),
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

describe.each(eachDriver)("over %s, however transactions follow each other", (_, open) => {
  test("each lease that is committed and not released is in flight in the end, and no other is", async () => {
    const one = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      using scene = new Scene(open);
      scene.own.exec("pragma busy_timeout = 0");
      const model = new Model(scene);
      for (const each of steps) model.take(each);
      for (const name of NAMES) model.take({ on: name, does: { sql: "commit" } });
      const expected = model.expected;
      await until(async () => scene.inFlight === expected, { what: `${expected} are in flight` });
    });
    await fc.assert(one, { numRuns: runs(60) });
  });
});

const NAMES = ["own", "shop", "third"] as const;

/** A lease, on which connection and in which of its transactions it was taken, and what became of it. */
type Known = {
  readonly lease: Lease<"now">;
  readonly on: (typeof NAMES)[number];
  readonly transaction: number;
  isCommitted: boolean;
  isReleased: boolean;
};

/** What has to come of it. */
class Model {
  readonly #scene: Scene;
  readonly #leases: Known[] = [];
  /** The number of each connection's transaction, while one is open. */
  readonly #open = new Map<string, number>();
  #transactions = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Units in flight once nothing is open any more. */
  get expected(): number {
    return this.#leases.filter(({ isCommitted, isReleased }) => isCommitted && !isReleased).length;
  }

  take({ on, does }: Step): void {
    const database = this.#scene[on];
    if ("sql" in does) this.#run(on, does.sql);
    else if (!("which" in does)) {
      const transaction = this.#open.get(on);
      if (transaction === undefined) return;
      const lease = attempt(() => this.#scene.limiter.within(database).acquire("jobs", { key }));
      if (!lease?.ok) return;
      this.#leases.push({ lease, on, transaction, isCommitted: false, isReleased: false });
    } else {
      const known = this.#leases[does.which];
      if (known === undefined) return;
      if (does.lease === "renew") attempt(() => known.lease.renew());
      else {
        known.lease.release();
        known.isReleased = true;
      }
    }
  }

  #run(on: Known["on"], sql: string): void {
    if (attempt(() => [this.#scene[on].exec(sql)]) === undefined) return;
    if (sql.startsWith("begin")) this.#open.set(on, ++this.#transactions);
    if (sql !== "commit" && sql !== "rollback") return;
    const transaction = this.#open.get(on);
    for (const known of this.#leases) {
      if (known.transaction === transaction) known.isCommitted = sql === "commit";
    }
    this.#open.delete(on);
  }
}

/** Undefined where it fails: others may keep the lock, or no transaction be open. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** What is answered, or with which code it fails. */
function answerOf(act: () => boolean): unknown {
  try {
    return act();
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}
