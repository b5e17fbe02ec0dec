import { describe, expect, test } from "vitest";
import { Log } from "../../src/core/index.ts";

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
