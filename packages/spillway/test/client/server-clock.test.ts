/** The clock of a server that does not say what time it is. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ServerClock } from "../../src/http/advice/server-clock.ts";
import { runs } from "../runs.ts";

const NOW = Date.UTC(2026, 0, 1);
const SECOND = 1000;

type Said = { readonly end: number; readonly left: number; readonly limit?: number };

const headersOf = ({ end, left, limit = 100 }: Said) =>
  new Headers({
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(left),
    "X-RateLimit-Reset": String(end),
  });

/** Hears an answer at an instant of the own clock, which took no time. */
const hear = (clock: ServerClock, at: number, said: Said) =>
  clock.heard(headersOf(said), { sent: at, received: at });

/** Answers of a window of 100, every so many milliseconds, by a server whose clock is so much ahead. */
function windows(clock: ServerClock, world: World): void {
  const { ahead, period, gap, latency, round } = world;
  for (let at = 0; at < 4 * period; at += gap) {
    const server = NOW + at;
    const end = (Math.floor(server / period) + 1) * period;
    const left = Math.max(0, 100 - Math.floor((server % period) / gap));
    const sent = server - ahead - latency;
    const said = { end: Math[round](end / SECOND), left };
    clock.heard(headersOf(said), { sent, received: sent + 2 * latency });
  }
}

type World = {
  readonly ahead: number;
  readonly period: number;
  readonly gap: number;
  readonly latency: number;
  readonly round: "ceil" | "floor";
};

const world = fc.record({
  ahead: fc.integer({ min: -86_400_000, max: 86_400_000 }),
  period: fc.integer({ min: 2000, max: 120_000 }),
  gap: fc.integer({ min: 200, max: 1000 }),
  latency: fc.integer({ min: 0, max: 300 }),
  round: fc.constantFrom("ceil" as const, "floor" as const),
});

test("is known to some seconds after a window is over, however wrong the own clock is", () => {
  fc.assert(
    fc.property(world, (world) => {
      const clock = new ServerClock();
      windows(clock, world);
      const { ahead, gap, latency } = world;
      expect(Math.abs(clock.ahead - ahead)).toBeLessThanOrEqual(2 * SECOND + gap + 2 * latency);
    }),
    { numRuns: runs(100) },
  );
});

test("is the own one where that may be right", () => {
  fc.assert(
    fc.property(world, fc.integer({ min: -1000, max: 1000 }), (world, ahead) => {
      const clock = new ServerClock();
      windows(clock, { ...world, ahead });
      expect(clock.ahead).toBe(0);
    }),
    { numRuns: runs(100) },
  );
});

describe("where the own clock is right", () => {
  test("a bucket that is filled bit by bit is no window that is over", () => {
    const clock = new ServerClock();
    // One unit a second: it is full again when all that is missing has come back.
    let left = 100;
    for (let at = 0; at < 600; at++) {
      left = at % 60 < 30 ? left - 2 : Math.min(100, left + 4);
      hear(clock, NOW + at * SECOND, { end: NOW / SECOND + at + (100 - left), left });
      expect(Math.abs(clock.ahead)).toBeLessThanOrEqual(10 * SECOND);
    }
  });

  test("several windows in turn teach nothing that stays", () => {
    const clock = new ServerClock();
    let wrong = 0;
    for (let at = 0; at < 600; at++) {
      const period = at % 2 === 0 ? 60 : 45;
      const end = (Math.floor(at / period) + 1) * period;
      hear(clock, NOW + at * SECOND, { end: NOW / SECOND + end, left: 100 - ((at % period) >> 1) });
      if (clock.ahead !== 0) wrong++;
    }
    expect(clock.ahead).toBe(0);
    expect(wrong).toBeLessThan(60);
  });
});

test("is learnt anew where the own clock is set", () => {
  const clock = new ServerClock();
  const known = { period: 10_000, gap: 100, latency: 20, round: "ceil" } as const;
  windows(clock, { ...known, ahead: 600_000 });
  expect(Math.abs(clock.ahead - 600_000)).toBeLessThan(3 * SECOND);
  windows(clock, { ...known, ahead: 0 });
  expect(clock.ahead).toBe(0);
});

test("says nothing where no instant is named, or an answer is a cache's", () => {
  const clock = new ServerClock();
  const at = { sent: NOW + 600_000, received: NOW + 600_000 };
  const headers = headersOf({ end: NOW / SECOND, left: 5 });
  headers.set("Age", "600");
  clock.heard(headers, at);
  for (const reset of ["30", "soon", "9".repeat(40), "-5", "NaN"]) {
    const other = headersOf({ end: 0, left: 5 });
    other.set("X-RateLimit-Reset", reset);
    clock.heard(other, at);
  }
  expect(clock.ahead).toBe(0);
});
