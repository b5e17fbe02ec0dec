/** Processes that share a limit: what is decided in memory, what is admitted, and how long it takes to be so again. */
import { describe, expect, test } from "vitest";
import {
  callsPer100,
  constant,
  fixed,
  idealShare,
  type LimitRecording,
  type LimitScenario,
  limitTotal,
  recoveryTime,
  simulateLimits,
  step,
  zipf,
} from "../../src/testing/simulation/index.ts";

const RATE = 1000;
const limits = (share?: string, capacity = RATE) =>
  ({ it: { kind: "token bucket", rate: RATE, period: 1000, capacity, share } }) as never;

const at = (times: number) => [{ limit: "it", rate: constant(times * RATE) }];

/** What is said of a limit of 1000 a second, over some seconds. */
const play = (scenario: Partial<LimitScenario>): Promise<LimitRecording> =>
  simulateLimits({
    duration: 5000,
    limits: limits("10s"),
    traffic: at(0.9),
    latency: fixed(1),
    ...scenario,
  });

const settled = { from: 2000 };

describe("processes that share a bucket", () => {
  test.each([
    [2, 0.1, 4],
    [2, 0.9, 4],
    [2, 2, 4],
    [8, 0.1, 5],
    [8, 0.9, 4],
    [8, 1.1, 4],
    [8, 1.5, 4],
    [8, 2, 4],
  ])("%i at %f times the rate: %i store calls for 100 at most", async (processes, times, most) => {
    const recording = await play({ processes, traffic: at(times) });
    expect(callsPer100(recording, settled)).toBeLessThan(most);
    expect(idealShare(recording, settled)).toBeGreaterThan(0.99);
    const { over, asked, refusedWithRoom } = limitTotal(recording);
    expect(over).toBe(0);
    // Above the rate what is held at the end, and what the store regained since, is no more than a part of the capacity.
    expect(refusedWithRoom).toBeLessThan(times > 1 ? RATE / 8 : 0.005 * asked);
  });

  test("without shares every call is a call of the store, there and back", async () => {
    const recording = await play({ limits: limits(), processes: 4, traffic: at(2) });
    const { asked, waited, admitted, ideal } = limitTotal(recording);
    expect(callsPer100(recording)).toBe(100);
    expect(waited / asked).toBeCloseTo(2, 6);
    expect(Math.abs(admitted - ideal)).toBeLessThan(5);
  });

  test("where keys are asked for rarely, there is nothing to gain", async () => {
    const traffic = [{ limit: "it", rate: constant(300), key: zipf({ keys: 100_000 }) }];
    const recording = await play({ processes: 4, traffic });
    expect(callsPer100(recording)).toBeGreaterThan(50);
  });

  test("traffic that moves to another process finds units there", async () => {
    const moves = (from: number, to: number) => ({
      rate: step({ from, to, at: 3000 }),
      limit: "it",
    });
    const traffic = [
      { ...moves(0.9 * RATE, 0), processes: [0] },
      { ...moves(0, 0.9 * RATE), processes: [1], name: "other" },
    ];
    const recording = await play({ processes: 2, traffic, width: 100 });
    expect(recoveryTime(recording, { from: 3000 })).toBeLessThan(1300);
    expect(limitTotal(recording, { to: 3000, name: "other" }).asked).toBe(0);
    expect(limitTotal(recording, { from: 3000, name: "other" })).toEqual(
      limitTotal(recording, { from: 3000 }),
    );
  });
});

describe("processes that stop", () => {
  const stopped = (givesBack: boolean) =>
    play({
      // Nothing comes back by itself within the time that is looked at.
      limits: {
        it: { kind: "token bucket", rate: 1, period: 60_000, capacity: 2000, share: "2s" },
      },
      processes: 4,
      traffic: [{ limit: "it", rate: constant(500) }],
      stops: [0, 1, 2].map((process) => ({ process, at: 1500, givesBack, until: 4000 })),
    });

  test("take what they hold with them, unless they give it back", async () => {
    const [killed, ended] = [await stopped(false), await stopped(true)];
    const heldAt = (recording: LimitRecording) => recording.buckets[0]?.held ?? 0;
    expect(heldAt(killed)).toBeGreaterThan(100);
    expect(limitTotal(killed).over + limitTotal(ended).over).toBe(0);
    expect(limitTotal(ended).unanswered).toBe(0);
    expect(limitTotal(ended).admitted - limitTotal(killed).admitted).toBeGreaterThan(50);
  });

  test("are not asked, and where none is left nobody answers", async () => {
    const stops = [0, 1].map((process) => ({ process, at: 2000, until: 4000 }));
    const recording = await play({ processes: 2, stops });
    const { asked, unanswered } = limitTotal(recording, { from: 2000, to: 4000 });
    expect(unanswered).toBe(asked);
    expect(recording.buckets[0]?.held).toBeGreaterThan(0);
    expect(recording.buckets[2]).toMatchObject({ held: 0, storeCalls: 0 });
    expect(idealShare(recording, { from: 5000 })).toBeGreaterThan(0.99);
  });
});

describe("a store that is away", () => {
  const outages = [{ from: 1000, to: 3000 }];
  const away = { from: 2000, to: 3000 };

  test("its limits refuse, and all is well soon after it is back", async () => {
    const recording = await play({ processes: 2, outages, width: 100 });
    expect(limitTotal(recording, away).admitted).toBe(0);
    expect(limitTotal(recording, away).refusedWithRoom).toBeGreaterThan(0);
    expect(recoveryTime(recording, { from: 3000 })).toBeLessThan(1500);
    expect(limitTotal(recording).over).toBe(0);
  });

  test("a limit that is open then admits what is over it, and that is counted", async () => {
    const open = {
      it: { kind: "token bucket", rate: RATE, period: 1000, whenUnavailable: "open" },
    } as const;
    const recording = await play({ limits: open, outages, traffic: at(2) });
    const { admitted, ideal, over } = limitTotal(recording, away);
    expect(admitted).toBeGreaterThan(1.9 * ideal);
    expect(over).toBeGreaterThan(0.9 * (admitted - ideal));
    expect(limitTotal(recording, { to: 1000 }).over).toBe(0);
  });
});
