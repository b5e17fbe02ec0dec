import { seededRandom } from "spillway/testing";
import { describe, expect, test } from "vitest";
import { Cohorts, firstLevelOf, LEVELS, priorityAt } from "../../src/shedding/cohorts.ts";
import { LevelCut } from "../../src/shedding/estimators/level-cut.ts";
import { LevelLoad } from "../../src/shedding/estimators/level-load.ts";
import { LoadShare } from "../../src/shedding/estimators/load-share.ts";
import { Overload } from "../../src/shedding/estimators/overload.ts";
import { AcceptRatio, Integrator, PRIORITIES, type Priority } from "../../src/shedding/index.ts";

/** For those whose clock does not fail. */
const tally = { signalFailed: () => expect.unreachable() };

describe("the integrator", () => {
  const text = { lowWatermark: 0.7, highWatermark: 0.8, grace: 28_000, span: 120_000, gap: 28_000 };

  /** The amount after so many seconds at a utilization, read every second. */
  function after(integrator: Integrator, utilization: number | undefined, seconds: number): number {
    start += seconds * 1000;
    for (let now = start - seconds * 1000; now <= start; now += 1000) {
      integrator.update(utilization, now);
    }
    return integrator.amount;
  }
  let start = 0;

  test("rests for 28 seconds, and takes two minutes from none to all", () => {
    const integrator = new Integrator(text);
    expect(after(integrator, 1, 28)).toBe(0);
    expect(after(integrator, 1, 60)).toBeCloseTo(0.5, 10);
    expect(after(integrator, 1, 60)).toBeCloseTo(1, 10);
    expect(after(integrator, 1, 600)).toBe(1);
  });

  test("stays as it is between the two thresholds, and goes back as slowly", () => {
    const integrator = new Integrator(text);
    expect(after(integrator, 1, 88)).toBeCloseTo(0.5, 10);
    expect(after(integrator, 0.75, 1000)).toBeCloseTo(0.5, 10);
    expect(after(integrator, 0.9, 60)).toBeCloseTo(0.75, 10);
    expect(after(integrator, 0.35, 60)).toBeCloseTo(0.5, 10);
    expect(after(integrator, 0, 60)).toBeCloseTo(0, 10);
    expect(after(integrator, 0, 1000)).toBe(0);
    expect(after(integrator, 1, 28)).toBeCloseTo(0, 10);
  });

  test("sheds less and less where nothing is known, as where nothing is busy", () => {
    const integrator = new Integrator(text);
    expect(after(integrator, 1, 88)).toBeCloseTo(0.5, 10);
    expect(after(integrator, undefined, 30)).toBeCloseTo(0.25, 10);
    expect(after(integrator, undefined, 30)).toBeCloseTo(0, 10);
    expect(after(integrator, undefined, 1000)).toBe(0);
  });

  test("learns nothing of what was long before", () => {
    const integrator = new Integrator(text);
    expect(after(integrator, 1, 88)).toBeCloseTo(0.5, 10);
    start += 3_600_000;
    integrator.update(1, start);
    expect(integrator.amount).toBeCloseTo(0.5 + 28 / 120, 10);
    integrator.update(0, start - 5000);
    expect(integrator.amount).toBeCloseTo(0.5 + 28 / 120, 10);
    // A night of idleness is one reading.
    integrator.update(0, start + 8 * 3_600_000);
    expect(integrator.amount).toBe(0);
  });
});

describe("the accept ratio", () => {
  test("is (asked - k accepted) / (asked + 1), never below 0", () => {
    const ratio = new AcceptRatio({ k: 2, window: 120_000 });
    for (let ask = 0; ask < 100; ask++) ratio.asked(1000);
    for (let ask = 0; ask < 50; ask++) ratio.accepted(1000);
    expect(ratio.refusal(1000)).toBe(0);
    for (let ask = 0; ask < 99; ask++) ratio.asked(2000);
    expect(ratio.refusal(2000)).toBeCloseTo((199 - 100) / 200, 10);
  });

  test("forgets what is older than the window", () => {
    const ratio = new AcceptRatio({ k: 2, window: 120_000 });
    for (let ask = 0; ask < 100; ask++) ratio.asked(0);
    expect(ratio.refusal(109_999)).toBeCloseTo(100 / 101, 10);
    expect(ratio.refusal(120_000)).toBe(0);
  });
});

describe("levels, their load, and the cut", () => {
  /**
   * A load in which each priority has a quarter, of 200 users each; what comes from a level on can
   * go.
   */
  function fresh(from: Priority = "critical", isKnown = true) {
    const random = seededRandom(1);
    let hour = 0;
    const cohorts = new Cohorts({ random, clock: () => hour * 3_600_000, tally });
    const load = new LevelLoad(LEVELS);
    const cut = new LevelCut({ load, from: firstLevelOf(from), random });
    const levelsOf = (priority: Priority) =>
      Array.from({ length: 200 }, (_, user) =>
        cohorts.levelOf({ priority, cohort: `user ${user}` }),
      );
    for (const level of isKnown ? PRIORITIES.flatMap(levelsOf) : []) load.add(level);
    load.roll();
    const setHour = (now: number) => {
      hour = now;
    };
    return { load, cut, levelsOf, setHour };
  }

  /** What part of a priority's users stays. */
  function admitted({ cut, levelsOf }: ReturnType<typeof fresh>, priority: Priority): number {
    return levelsOf(priority).filter((level) => cut.admits(level)).length / 200;
  }

  test("the least important goes first, and as much as has to", () => {
    const all = fresh();
    all.cut.cutTo(1);
    expect(PRIORITIES.map((each) => admitted(all, each))).toEqual([1, 1, 1, 1]);
    expect(priorityAt(all.cut.border)).toBeUndefined();
    all.cut.cutTo(0.6);
    expect(admitted(all, "normal")).toBe(1);
    expect(admitted(all, "low")).toBeGreaterThan(0.37);
    expect(admitted(all, "low")).toBeLessThan(0.43);
    expect(admitted(all, "background")).toBe(0);
    expect(priorityAt(all.cut.border)).toBe("low");
    all.cut.cutTo(0);
    expect(PRIORITIES.map((each) => admitted(all, each))).toEqual([0, 0, 0, 0]);
  });

  test("what must not go stays, and the share is that of the rest", () => {
    const all = fresh("normal");
    all.cut.cutTo(0);
    expect(PRIORITIES.map((each) => admitted(all, each))).toEqual([1, 0, 0, 0]);
    all.cut.cutTo(2 / 3);
    expect(admitted(all, "low")).toBeGreaterThan(0.95);
    expect(admitted(all, "background")).toBeLessThan(0.05);
  });

  test("a user is in or out for an hour, and others are the next", () => {
    const all = fresh();
    all.cut.cutTo(0.6);
    const inOrOut = (hour: number) => {
      all.setHour(hour);
      return all.levelsOf("low").map((level) => all.cut.admits(level));
    };
    const [now, soon, later] = [inOrOut(0), inOrOut(0.99), inOrOut(1)];
    // Of the one cohort at the border some stay.
    expect(now.filter((stays, user) => stays !== soon[user]).length).toBeLessThan(8);
    expect(now.filter((stays, user) => stays !== later[user]).length).toBeGreaterThan(40);
  });

  test("with nothing known yet, all stays", () => {
    const all = fresh("critical", false);
    all.cut.cutTo(0.1);
    expect(admitted(all, "background")).toBe(1);
  });

  test("the load is a moving mean: what is asked no longer is forgotten in some windows", () => {
    const load = new LevelLoad(2);
    for (let ask = 0; ask < 10; ask++) load.add(0);
    load.roll();
    for (let ask = 0; ask < 10; ask++) load.add(1);
    load.roll();
    // 7 of 10 are at level 0.
    expect(load.levelWith({ from: 0, share: 0.35 })).toBeCloseTo(0.5, 10);
    expect(load.levelWith({ from: 0, share: 0.85 })).toBeCloseTo(1.5, 10);
  });

  test("work without a cohort has any level of its priority", () => {
    const cohorts = new Cohorts({ random: seededRandom(1), clock: () => 0, tally });
    const levels = Array.from({ length: 1000 }, () => cohorts.levelOf({ priority: "low" }));
    expect(new Set(levels).size).toBeGreaterThan(100);
    expect(new Set(levels.map(priorityAt))).toEqual(new Set(["low"]));
  });
});

describe("the share of the load", () => {
  const seen = { asked: 200, served: 100, waited: 50 };
  const overloaded = { delay: 1, isOverloaded: true };

  test("is what was served of what was asked, a little ahead; less while a queue stands", () => {
    const share = new LoadShare();
    share.learn(seen, overloaded);
    expect(share.share).toBeCloseTo(0.55, 10);
    share.learn(seen, { ...overloaded, delay: 5 });
    expect(share.share).toBeCloseTo(0.45, 10);
    share.learn(seen, { ...overloaded, delay: 100 });
    expect(share.share).toBeCloseTo(0.4, 10);
  });

  test("grows where all had its turn, to everything", () => {
    const share = new LoadShare();
    share.learn(seen, overloaded);
    for (let window = 0; window < 3; window++) {
      share.learn({ ...seen, waited: 0 }, { ...overloaded, delay: 0 });
    }
    expect(share.share).toBe(1);
  });

  test("is all while nothing is overloaded, and never nothing", () => {
    const share = new LoadShare();
    share.learn(seen, { ...overloaded, isOverloaded: false });
    expect(share.share).toBe(1);
    for (let window = 0; window < 50; window++) {
      share.learn({ asked: 1000, served: 0, waited: 50 }, overloaded);
    }
    expect(share.share).toBe(0.01);
    share.learn({ asked: 0, served: 0, waited: 0 }, { ...overloaded, delay: 2 });
    expect(share.share).toBeGreaterThan(0);
  });
});

describe("an overload", () => {
  /** Windows of a second in which each priority asks ten times. */
  function fresh() {
    const overload = new Overload({ window: 1000, started: 0, random: seededRandom(1) });
    let now = 0;
    const ask = () => {
      for (let each = 0; each < 40; each++) {
        overload.asked(firstLevelOf(PRIORITIES[each % 4] as Priority));
      }
    };
    const window = (end: {
      served: number;
      waited?: number;
      isSaturated?: boolean;
      delay?: number;
    }) => {
      const { served, waited = 0, isSaturated = true, delay = 2 } = end;
      ask();
      for (let each = 0; each < served; each++) overload.ended();
      for (let each = 0; each < waited; each++) overload.waited();
      now += 1000;
      expect(overload.isWindowOver(now - 1)).toBe(false);
      expect(overload.isWindowOver(now)).toBe(true);
      overload.endWindow({ now, delay, isSaturated });
    };
    /** Windows that lose work, until it is on. */
    const begin = (delay = 2) => {
      for (let each = 0; each < 3; each++) window({ served: 20, waited: 10, delay });
      expect(overload.isOn).toBe(true);
    };
    return { overload, window, begin };
  }

  test("begins with the third window in a row that loses work", () => {
    const { overload, window } = fresh();
    const lossy = () => window({ served: 20, waited: 3 });
    const calm = () => window({ served: 20, waited: 2 });
    const isOn = [lossy, lossy, calm, lossy, lossy, lossy].map((act) => {
      act();
      return overload.isOn;
    });
    expect(isOn).toEqual([false, false, false, false, false, true]);
  });

  test("lets in what was served of what was asked once it has begun, and ends when all has its turn", () => {
    const { overload, window, begin } = fresh();
    begin();
    // 20 of 40, and a queue of twice its time.
    expect(overload.share).toBeCloseTo(1.05 * 0.5, 10);
    expect(overload.border).toBe("low");
    const admits = PRIORITIES.map((each) => overload.admits(firstLevelOf(each)));
    expect(admits).toEqual([true, true, expect.any(Boolean), false]);
    window({ served: 20, delay: 0 });
    expect([overload.isOn, overload.share]).toEqual([true, expect.closeTo(1.5 * 1.05 * 0.5, 10)]);
    window({ served: 20, delay: 0 });
    expect([overload.isOn, overload.share, overload.border]).toEqual([false, 1, undefined]);
  });

  test("lets all in where work waits although nothing is busy", () => {
    const { overload, window, begin } = fresh();
    begin();
    window({ served: 20, waited: 10, delay: 2, isSaturated: false });
    expect(overload.share).toBe(1);
  });

  test("is forgotten with all that was measured", () => {
    const { overload, begin } = fresh();
    begin();
    overload.forget(100_000);
    expect([overload.isOn, overload.share, overload.border]).toEqual([false, 1, undefined]);
    expect(overload.isWindowOver(100_999)).toBe(false);
    for (const now of [101_000, 102_000]) {
      for (let each = 0; each < 20; each++) overload.waited();
      overload.endWindow({ now, delay: 2, isSaturated: true });
    }
    expect(overload.isOn).toBe(false);
  });

  test("is not over while more than a few wait in vain", () => {
    const { overload, window, begin } = fresh();
    begin(1);
    window({ served: 20, waited: 5, delay: 0 });
    expect(overload.share).toBeCloseTo(1.1 * 0.5, 10);
    expect(overload.isOn).toBe(true);
  });

  test("a window with little in it lasts four times as long", () => {
    const overload = new Overload({ window: 1000, started: 500, random: seededRandom(1) });
    for (let each = 0; each < 9; each++) overload.ended();
    expect([overload.isWindowOver(4499), overload.isWindowOver(4500)]).toEqual([false, true]);
    overload.ended();
    expect([overload.isWindowOver(1499), overload.isWindowOver(1500)]).toEqual([false, true]);
  });
});
