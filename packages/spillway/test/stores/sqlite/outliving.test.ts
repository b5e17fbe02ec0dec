/** Leases that outlive the transaction in which they were taken, whatever its connection is used for afterwards. */
import { describe, expect, test } from "vitest";
import type { Lease } from "../../../src/limiter/index.ts";
import { until } from "../../servers/until.ts";
import { eachDriver } from "./drivers.ts";
import { key, Scene, TTL } from "./outliving-scene.ts";

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

/** What is answered, or with which code it fails. */
function answerOf(act: () => boolean): unknown {
  try {
    return act();
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}
