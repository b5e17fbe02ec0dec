import { seededRandom } from "spillway/testing";
import { describe, expect, test } from "vitest";
import { Census } from "../../src/shedding/census.ts";
import { LoadShare } from "../../src/shedding/estimators/load-share.ts";
import { AcceptRatio, ConcurrencyCap, Integrator } from "../../src/shedding/index.ts";

describe("the integrator", () => {
  const text = { easy: 0.7, hard: 0.8, grace: 28_000, span: 120_000, gap: 28_000 };

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

  test("learns nothing of what is not known, nor of what was long before", () => {
    const integrator = new Integrator(text);
    expect(after(integrator, 1, 88)).toBeCloseTo(0.5, 10);
    expect(after(integrator, undefined, 1000)).toBeCloseTo(0.5, 10);
    start += 3_600_000;
    integrator.update(1, start);
    expect(integrator.amount).toBeCloseTo(0.5 + 28 / 120, 10);
    integrator.update(0, start - 5000);
    expect(integrator.amount).toBeCloseTo(0.5 + 28 / 120, 10);
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

describe("the census", () => {
  const priorities = ["critical", "normal", "low", "background"] as const;

  /** A census of a load in which each priority has a quarter, of 200 users each. */
  function census() {
    const all = new Census(seededRandom(1));
    const ask = (priority: (typeof priorities)[number], user: number, hour = 0) =>
      all.levelOf(priority, `user ${user}`, hour * 3_600_000);
    for (const priority of priorities) {
      for (let user = 0; user < 200; user++) all.add(ask(priority, user));
    }
    all.roll();
    return { all, ask };
  }

  /** What part of a priority's users stays. */
  function kept({ all, ask }: ReturnType<typeof census>, priority: (typeof priorities)[number]) {
    const users = Array.from({ length: 200 }, (_, user) => user);
    return users.filter((user) => all.keeps(ask(priority, user))).length / 200;
  }

  test("lets the least important go first, and as much as has to", () => {
    const load = census();
    load.all.keep(1);
    expect(priorities.map((each) => kept(load, each))).toEqual([1, 1, 1, 1]);
    load.all.keep(0.6);
    expect(kept(load, "normal")).toBe(1);
    expect(kept(load, "low")).toBeGreaterThan(0.3);
    expect(kept(load, "low")).toBeLessThan(0.5);
    expect(kept(load, "background")).toBe(0);
    expect(load.all.border).toBe("low");
    load.all.keep(0);
    expect(priorities.map((each) => kept(load, each))).toEqual([0, 0, 0, 0]);
  });

  test("keeps what must not go, and counts the share of the rest", () => {
    const load = census();
    load.all.keep(0, { from: "normal" });
    expect(priorities.map((each) => kept(load, each))).toEqual([1, 0, 0, 0]);
    load.all.keep(2 / 3, { from: "normal" });
    expect(kept(load, "low")).toBeGreaterThan(0.9);
    expect(kept(load, "background")).toBeLessThan(0.1);
  });

  test("a user is in or out for an hour, and others are the next", () => {
    const { all, ask } = census();
    all.keep(0.6);
    const inOrOut = (hour: number) =>
      Array.from({ length: 200 }, (_, user) => all.keeps(ask("low", user, hour)));
    const [now, soon, later] = [inOrOut(0), inOrOut(0.99), inOrOut(1)];
    // Of the one cohort at the border some stay.
    expect(now.filter((stays, user) => stays !== soon[user]).length).toBeLessThan(8);
    expect(now.filter((stays, user) => stays !== later[user]).length).toBeGreaterThan(40);
  });

  test("with nothing known yet, all stays", () => {
    const all = new Census(seededRandom(1));
    all.keep(0.1);
    expect(all.keeps(all.levelOf("background", "a", 0))).toBe(true);
  });
});

describe("the share of the load", () => {
  const seen = { asked: 200, served: 100, waited: 50, delay: 1 };

  test("is what was served of what was asked, a little ahead; less while a queue stands", () => {
    const share = new LoadShare();
    share.learn(seen, true);
    expect(share.share).toBeCloseTo(0.55, 10);
    share.learn({ ...seen, delay: 5 }, true);
    expect(share.share).toBeCloseTo(0.45, 10);
    share.learn({ ...seen, delay: 100 }, true);
    expect(share.share).toBeCloseTo(0.4, 10);
  });

  test("grows where all had its turn, to everything", () => {
    const share = new LoadShare();
    share.learn(seen, true);
    for (let window = 0; window < 3; window++) {
      share.learn({ asked: 200, served: 100, waited: 0, delay: 0 }, true);
    }
    expect(share.share).toBe(1);
  });

  test("is all while nothing is overloaded, and never nothing", () => {
    const share = new LoadShare();
    share.learn(seen, false);
    expect(share.share).toBe(1);
    for (let window = 0; window < 50; window++) {
      share.learn({ asked: 1000, served: 0, waited: 50, delay: 1 }, true);
    }
    expect(share.share).toBeGreaterThan(0);
    share.learn({ asked: 0, served: 0, waited: 0, delay: 2 }, true);
    expect(share.share).toBeGreaterThan(0);
  });
});

describe("the concurrency cap", () => {
  const settings = { least: 4, most: 1000, initial: 32, tolerance: 2, window: 500 };

  /** Serves with so many workers, and always as much in flight as the cap lets: a closed loop. */
  function drive(cap: ConcurrencyCap, { workers, service, demand = Infinity }: Drive): number {
    let now = 0;
    let started: number[] = [];
    const free = new Array<number>(workers).fill(0);
    const ends: { started: number; ended: number }[] = [];
    for (let served = 0; served < 20_000; served++) {
      while (started.length + ends.length < Math.min(cap.cap, demand)) {
        const worker = free.indexOf(Math.min(...free));
        const ended = Math.max(now, free[worker] as number) + service(now);
        free[worker] = ended;
        ends.push({ started: now, ended });
        started = [];
      }
      ends.sort((one, other) => one.ended - other.ended);
      const inFlight = ends.length;
      const first = ends.shift() as { started: number; ended: number };
      now = first.ended;
      cap.learn({ ...first, inFlight });
    }
    return cap.cap;
  }
  type Drive = { workers: number; service: (now: number) => number; demand?: number };

  const random = seededRandom(7);
  const about = (ms: number) => () => -ms * Math.log(1 - random());

  test("comes to as much as there are workers, and a queue within the tolerance", () => {
    const cap = drive(new ConcurrencyCap(settings), { workers: 10, service: about(50) });
    expect(cap).toBeGreaterThanOrEqual(10);
    expect(cap).toBeLessThan(150);
  });

  test("stays as it is while it does not bind", () => {
    const cap = new ConcurrencyCap(settings);
    expect(drive(cap, { workers: 100, service: about(50), demand: 5 })).toBe(32);
  });

  test("grows as far as more is served", () => {
    const cap = drive(new ConcurrencyCap(settings), { workers: 200, service: about(50) });
    expect(cap).toBeGreaterThan(120);
  });

  test("does not stay low where work has become slower by itself", () => {
    const slower = (now: number) => about(now < 10_000 ? 20 : 200)();
    const cap = drive(new ConcurrencyCap(settings), { workers: 100, service: slower });
    expect(cap).toBeGreaterThan(60);
  });

  test("is pressed down, to no less than the least", () => {
    const cap = new ConcurrencyCap(settings);
    cap.press();
    expect(cap.cap).toBe(28);
    for (let window = 0; window < 100; window++) cap.press();
    expect(cap.cap).toBe(4);
  });
});
