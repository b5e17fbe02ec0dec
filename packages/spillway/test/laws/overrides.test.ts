/** Laws 1, 2 and 10 for keys with overrides: what they admit, how long they wait, what stays. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agree, planFor } from "../../src/limits/algorithms/index.ts";
import type { AnswerTo, Ask, Command, Kind, Plan, Store } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { manualClock } from "../../src/testing/index.ts";
import { admitsNoMoreThanApart } from "../../src/testing/turns.ts";
import { runs } from "../runs.ts";
import { ALL, smallLimit, turns } from "./small-definitions.ts";

const HOUR = 3_600_000;
/** Kinds whose waits are exact beyond the end of an override: those that keep no list. */
const WITHOUT_LIST = ["token bucket", "fixed window", "sliding window", "leaky bucket"] as const;

/** A store whose asks all come under one plan: every other plan is an override of the key. */
function overriding(store: Store<"now">, base: Plan): Store<"now"> {
  const execute = (command: Command) => {
    const [{ plan, key, ...ask }] = command.budgets as readonly [Ask];
    const ms = agree(plan, base) ? 0 : HOUR;
    asking(store).override({ plan: base, key }, { plan, ms });
    return store.execute({ verb: "limit", budgets: [{ ...ask, plan: base, key }] });
  };
  return { timing: "now", execute: execute as <C extends Command>(command: C) => AnswerTo<C> };
}

describe.each(ALL)("law 10: overrides of a %s take turns with it and each other", (kind) => {
  test("each definition admits only what it would admit alone", async () => {
    const pause = fc.oneof(fc.constant(0), fc.nat(300), fc.nat(20_000));
    const count = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 14 }));
    const own: Kind = kind === "concurrency" ? kind : "token bucket";
    const definitions = fc.tuple(smallLimit(kind), smallLimit(kind), smallLimit(own));
    await fc.assert(
      fc.asyncProperty(definitions, turns(pause, count), async (limits, drawn) => {
        const clock = manualClock();
        const store = overriding(memoryStore({ clock }), planFor("it", limits[0]));
        const all = drawn.map((turn) => ({ ...turn, which: turn.which % limits.length }));
        await admitsNoMoreThanApart({ store, clock, limits, turns: all });
      }),
      { numRuns: runs(60) },
    );
  });
});

describe.each(WITHOUT_LIST)("law 2: the wait of a key with an override of a %s", (kind) => {
  test("is exact, also beyond its end", () => {
    const limits = fc.tuple(smallLimit(kind), smallLimit(kind));
    const count = fc.integer({ min: 1, max: 20 });
    const taken = fc.array(fc.tuple(fc.nat(400), count), { maxLength: 12 });
    fc.assert(
      fc.property(
        limits,
        taken,
        fc.integer({ min: 1, max: 6000 }),
        count,
        (both, takes, ms, last) => {
          const clock = manualClock();
          const store = asking(memoryStore({ clock }));
          const [plan, own] = both.map((limit) => planFor("it", limit)) as [Plan, Plan];
          const key = "k";
          for (const [nth, [pause, units]] of takes.entries()) {
            if (nth === takes.length >> 1) store.override({ plan, key }, { plan: own, ms });
            store.limit({ plan, key, count: units, reserve: false });
            clock.advance(pause);
          }
          const ask = { plan, key, count: last, reserve: false };
          const { ok, retryAfter } = store.check(ask);
          fc.pre(!ok && retryAfter < Number.POSITIVE_INFINITY);
          clock.advance(retryAfter - 1);
          expect(store.check(ask).ok, "a millisecond before").toBe(false);
          clock.advance(1);
          expect(store.check(ask).ok, "at its end").toBe(true);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
