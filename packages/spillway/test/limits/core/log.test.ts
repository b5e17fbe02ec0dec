import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { RateLimiter } from "../../../src/index.ts";
import { Log } from "../../../src/limits/core/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";

const entries = (log: Log) =>
  Array.from({ length: log.length }, (_, index) => [log.instant(index), log.units(index)]);

const filled = (...instants: number[]) => {
  const log = new Log();
  for (const instant of instants) log.push({ instant, units: 1 });
  return log;
};

describe("a log", () => {
  test("keeps its order while it grows and turns round", () => {
    const log = new Log();
    for (let instant = 0; instant < 1000; instant++) {
      log.push({ instant, units: instant + 1 });
      if (instant % 3 === 0) log.dropUntil(instant - 20);
    }
    expect(entries(log)).toEqual(Array.from({ length: 20 }, (_, i) => [980 + i, 981 + i]));
  });

  test("makes one entry of those at one instant", () => {
    expect(entries(filled(1, 1, 2))).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });

  test("gives back from the newest", () => {
    const log = filled(1, 2, 2, 2);
    log.takeBack(2);
    expect(entries(log)).toEqual([
      [1, 1],
      [2, 1],
    ]);
    log.takeBack(10);
    expect(log.length).toBe(0);
  });

  test("moves back in time as a whole", () => {
    const log = filled(10, 20);
    log.rewind(5);
    expect(entries(log).map(([instant]) => instant)).toEqual([5, 15]);
  });
});

describe("what a log is asked", () => {
  type Entry = { instant: number; units: number };
  const change = fc.record({
    what: fc.constantFrom("push", "drop", "take back"),
    ms: fc.nat(5),
    units: fc.integer({ min: 1, max: 2 ** 50 }),
  });

  test("it answers like a list of entries, however large its sums become", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const log = new Log();
        let list: Entry[] = [];
        let now = 0;
        for (const { what, ms, units } of changes) {
          now += ms;
          if (what === "push") list = pushed(list, { instant: now, units });
          if (what === "push") log.push({ instant: now, units });
          if (what === "drop") list = list.filter(({ instant }) => instant > now - 5);
          if (what === "drop") log.dropUntil(now - 5);
          if (what === "take back") list = takenBack(list, units);
          if (what === "take back") log.takeBack(units);
          // A limit of which more is used is refused as inexact.
          if (list.reduce((sum, one) => sum + one.units, 0) > 2 ** 52) return;
          expect(entries(log)).toEqual(list.map(({ instant, units }) => [instant, units]));
          const older = list.filter(({ instant }) => instant <= now - 3);
          expect(log.countUntil(now - 3)).toBe(older.length);
          expect(log.unitsOfFirst(older.length)).toBe(
            older.reduce((sum, one) => sum + one.units, 0),
          );
        }
      }),
    );
  });

  function pushed(list: readonly Entry[], entry: Entry): Entry[] {
    const newest = list.at(-1);
    if (newest?.instant !== entry.instant) return [...list, entry];
    return [...list.slice(0, -1), { ...entry, units: newest.units + entry.units }];
  }

  function takenBack(list: readonly Entry[], units: number): Entry[] {
    const newest = list.at(-1);
    if (newest === undefined) return [];
    if (newest.units > units)
      return [...list.slice(0, -1), { ...newest, units: newest.units - units }];
    return takenBack(list.slice(0, -1), units - newest.units);
  }

  test("costs no look at every entry, neither while they count nor once they are over", () => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    const limit = { kind: "sliding log", rate: 100_000, period: "1h" } as const;
    const limiter = new RateLimiter({ it: limit }, { store });
    for (let i = 0; i < 10_000; i++) {
      clock.advance(1);
      limiter.limit("it", { count: 10 });
    }
    const looks = vi.spyOn(Log.prototype, "instant");
    for (const ms of [0, 1000, 3_600_000 - 5000, 7_200_000]) {
      clock.advance(ms);
      looks.mockClear();
      limiter.check("it", { count: 50_000 });
      limiter.value("it");
      limiter.limit("it", { key: `neighbour ${ms}` });
      expect(looks.mock.calls.length).toBeGreaterThan(0);
      expect(looks.mock.calls.length).toBeLessThan(200);
    }
    looks.mockRestore();
  });
});
