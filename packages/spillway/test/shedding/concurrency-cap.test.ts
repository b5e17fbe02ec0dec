import { seededRandom } from "spillway/testing";
import { describe, expect, test } from "vitest";
import { CapWindow } from "../../src/shedding/estimators/cap-window.ts";
import {
  AcceptRatio,
  type CapSample,
  ConcurrencyCap,
  Integrator,
} from "../../src/shedding/index.ts";

describe("the concurrency cap", () => {
  const settings = { least: 4, most: 1000, initial: 32, tolerance: 2, window: 500 };

  type Drive = {
    readonly workers: number;
    readonly seconds: number;
    /** Milliseconds that a piece of work takes that a worker begins at an instant. */
    readonly service: (now: number) => number;
    readonly demand?: number;
  };

  /**
   * Serves with so many workers, always with as much in flight as the cap lets: caps by the second.
   */
  function drive(cap: ConcurrencyCap, { workers, seconds, service, demand = Infinity }: Drive) {
    let now = 0;
    const free = new Array<number>(workers).fill(0);
    const inFlight: { started: number; ended: number }[] = [];
    const caps: number[] = [];
    while (now < seconds * 1000) {
      while (inFlight.length < Math.min(cap.cap, demand)) {
        const worker = free.indexOf(Math.min(...free));
        const begun = Math.max(now, free[worker] as number);
        const ended = begun + service(begun);
        free[worker] = ended;
        const place = inFlight.findLastIndex((each) => each.ended <= ended) + 1;
        inFlight.splice(place, 0, { started: now, ended });
      }
      const sample = { ...(inFlight[0] as CapSample), inFlight: inFlight.length };
      inFlight.shift();
      now = sample.ended;
      cap.learn(sample);
      caps[Math.floor(now / 1000)] = cap.cap;
    }
    return caps.filter((each) => each !== undefined);
  }

  const seeds = [1, 2, 3];
  const exponential = (seed: number) => {
    const random = seededRandom(seed);
    return (mean: number) => -mean * Math.log(1 - random());
  };

  /** The middle of some numbers. */
  const median = (numbers: readonly number[]) =>
    numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] as number;

  test.for(seeds)("comes to as much as there are workers, and a short queue: seed %i", (seed) => {
    const time = exponential(seed);
    const work = { workers: 10, seconds: 200, service: () => time(50) };
    const late = drive(new ConcurrencyCap(settings), work).slice(50);
    expect(median(late)).toBeGreaterThanOrEqual(10);
    expect(median(late)).toBeLessThanOrEqual(40);
  });

  test("stays as it is while it does not bind", () => {
    const time = exponential(1);
    const work = { workers: 100, seconds: 60, service: () => time(50), demand: 5 };
    expect(new Set(drive(new ConcurrencyCap(settings), work))).toEqual(new Set([32]));
  });

  test.for(seeds)("grows as far as more is served: seed %i", (seed) => {
    const time = exponential(seed);
    const work = { workers: 200, seconds: 50, service: () => time(50) };
    const late = drive(new ConcurrencyCap(settings), work).slice(20);
    expect(median(late)).toBeGreaterThan(160);
  });

  test.for(seeds)("does not stay low where work has become slower by itself: seed %i", (seed) => {
    const time = exponential(seed);
    let slowed = 0;
    const service = (now: number) => {
      if (now < 30_000) return time(20);
      slowed++;
      return time(200);
    };
    const caps = drive(new ConcurrencyCap(settings), { workers: 100, seconds: 90, service });
    expect(slowed).toBeGreaterThan(10_000);
    expect(caps.length).toBeGreaterThanOrEqual(90);
    expect(median(caps.slice(60))).toBeGreaterThan(80);
  });

  test("backs off, to no less than the least", () => {
    const cap = new ConcurrencyCap(settings);
    cap.backOff();
    expect(cap.cap).toBe(28);
    for (let window = 0; window < 100; window++) cap.backOff();
    expect(cap.cap).toBe(4);
  });

  test("stays backed off while it learns: it grows by windows from there, not with each sample", () => {
    const cap = new ConcurrencyCap(settings);
    const learn = (now: number) => cap.learn({ started: now - 10, ended: now, inFlight: cap.cap });
    learn(1);
    expect(cap.cap).toBe(33);
    for (let each = 0; each < 10; each++) cap.backOff();
    const reduced = cap.cap;
    for (let now = 2; now < 400; now++) learn(now);
    expect(cap.cap).toBe(reduced);
    for (let now = 400; now < 600; now++) learn(now);
    expect(cap.cap).toBe(Math.floor(33 * 0.9 ** 10 + Math.sqrt(33 * 0.9 ** 10)));
  });

  /** A cap of 40 that is tried at 24: 0.6 of it, after one was served in each millisecond. */
  function inTrial() {
    const cap = new ConcurrencyCap({ ...settings, most: 40 });
    let now = 0;
    /** Serves work of 10 ms, so many a millisecond, until the cap is, or is no more, so much. */
    const serve = (perMs: number, isDone: () => boolean) => {
      while (!isDone() && now < 20_000) {
        now += 1 / perMs;
        cap.learn({ started: now - 10, ended: now, inFlight: cap.cap });
      }
    };
    // The first probe.
    serve(1, () => cap.cap === 24);
    return { cap, serve };
  }

  test("where less is served the cap is what pools of workers would make of it", () => {
    for (const [rate, next] of [
      // No queue: all that was in flight was needed.
      [0.59, 40],
      // A pool of 32 or so.
      [0.74, 32],
      // More than the geometric mean of 0.6 and 1: the rest has only queued, and less is tried.
      [0.8, 14],
      [1, 14],
    ] as const) {
      const { cap, serve } = inTrial();
      serve(rate, () => cap.cap !== 24);
      expect(cap.cap).toBe(next);
    }
  });

  test("stays backed off after a trial, which goes back to no more than that", () => {
    const { cap, serve } = inTrial();
    for (let times = 0; times < 5; times++) cap.backOff();
    const reduced = cap.cap;
    expect(reduced).toBe(Math.floor(24 * 0.9 ** 5));
    // Less is served: it goes back to where it was, but for what it has backed off.
    serve(0.05, () => cap.cap !== reduced);
    expect(cap.cap).toBe(Math.floor(40 * 0.9 ** 5));
  });
});

test("a window of the cap counts all that was served, but only its own work's latency", () => {
  const window = new CapWindow(100);
  const sample = { started: 0, ended: 1000, inFlight: 5, isBinding: false };
  window.begin(undefined);
  expect(window.takes({ ...sample, inFlight: 6 }, 4)).toBe(false);
  expect(window.takes(sample, 4)).toBe(true);
  for (let each = 0; each < 30; each++) expect(window.add(sample)).toBeUndefined();
  for (let each = 0; each < 29; each++) {
    expect(window.add({ ...sample, started: 1000, ended: 1200, isBinding: true })).toBeUndefined();
  }
  const measured = window.add({ ...sample, started: 1100, ended: 1200, inFlight: 9 });
  expect(measured?.latency).toBeCloseTo((29 * 200 + 100) / 30, 10);
  expect(measured).toMatchObject({ rate: 60 / 200, peak: 9, isBinding: true });
});

test.for([
  [
    () =>
      new ConcurrencyCap({ least: 4, most: Number.NaN, initial: 32, tolerance: 2, window: 500 }),
    "most",
  ],
  [() => new ConcurrencyCap({ least: 0, most: 9, initial: 9, tolerance: 2, window: 500 }), "least"],
  [
    () => new ConcurrencyCap({ least: 4, most: 9, initial: Number.NaN, tolerance: 2, window: 500 }),
    "initial",
  ],
  [
    () => new ConcurrencyCap({ least: 4, most: 9, initial: 9, tolerance: Number.NaN, window: 500 }),
    "tolerance",
  ],
  [
    () => new ConcurrencyCap({ least: 4, most: 9, initial: 9, tolerance: 2, window: Number.NaN }),
    "window",
  ],
  [
    () =>
      new Integrator({ lowWatermark: Number.NaN, highWatermark: 0.8, grace: 0, span: 1, gap: 1 }),
    "lowWatermark",
  ],
  [
    () => new Integrator({ lowWatermark: 0.7, highWatermark: 0.6, grace: 0, span: 1, gap: 1 }),
    "highWatermark",
  ],
  [
    () => new Integrator({ lowWatermark: 0.7, highWatermark: 0.8, grace: -1, span: 1, gap: 1 }),
    "grace",
  ],
  [
    () => new Integrator({ lowWatermark: 0.7, highWatermark: 0.8, grace: 0, span: 0, gap: 1 }),
    "span",
  ],
  [
    () =>
      new Integrator({ lowWatermark: 0.7, highWatermark: 0.8, grace: 0, span: 1, gap: Number.NaN }),
    "gap",
  ],
  [() => new AcceptRatio({ k: 1, window: 1000 }), "k"],
  [() => new AcceptRatio({ k: 2, window: Number.NaN }), "window"],
] as const)("settings of estimators are checked: %s", ([make, field]) => {
  expect(make).toThrow(expect.objectContaining({ code: "bad-option", field }));
});
