/**
 * Calls on each kind, with answers computed by hand. Every store has to give these answers.
 * Instants are milliseconds after 2026-01-01T00:00:00Z.
 */
import { type Limit, LONGEST_TIMER, MINUTE, SECOND } from "../limits/core/index.ts";

/** A call at an instant, and its answer. */
export type VectorRow = {
  readonly at: number;
  readonly count?: number;
  readonly reserve?: true;
  readonly ok: boolean;
  readonly remaining: number;
  readonly retryAfter: number;
  readonly resetAfter: number;
};

/** Calls on one key, in order. */
export type Vector = {
  readonly name: string;
  readonly limit: Limit;
  readonly rows: readonly VectorRow[];
};

const never = Number.POSITIVE_INFINITY;

const yes = (
  at: number,
  remaining: number,
  resetAfter: number,
  more: Partial<VectorRow> = {},
): VectorRow => ({
  at,
  ok: true,
  remaining,
  retryAfter: 0,
  resetAfter,
  ...more,
});

const no = (
  at: number,
  retryAfter: number,
  resetAfter: number,
  more: Partial<VectorRow> = {},
): VectorRow => ({
  at,
  ok: false,
  remaining: 0,
  retryAfter,
  resetAfter,
  ...more,
});

/** All vectors. Each one starts with an unused key. */
export const vectors: readonly Vector[] = [
  {
    // One unit comes back every 333⅓ ms. Waits are rounded up, and no fraction is lost.
    name: "a token bucket that does not divide its period",
    limit: { kind: "token bucket", rate: 3, period: SECOND },
    rows: [
      yes(0, 2, 334),
      yes(0, 1, 667),
      yes(0, 0, 1000),
      no(0, 334, 1000),
      no(333, 1, 667),
      yes(334, 0, 1000),
      no(334, 333, 1000),
      no(334, 666, 1000, { count: 2 }),
      no(334, never, 1000, { count: 4 }),
      yes(1334, 0, 1000, { count: 3 }),
    ],
  },
  {
    name: "a token bucket that is reserved from",
    limit: { kind: "token bucket", rate: 1, period: SECOND, capacity: 2, maxReserved: 3 },
    rows: [
      yes(0, 0, 3000, { count: 3, reserve: true, retryAfter: 1000 }),
      yes(0, 0, 5000, { count: 2, reserve: true, retryAfter: 3000 }),
      no(0, 1000, 5000, { reserve: true }),
      no(0, 4000, 5000),
      no(0, never, 5000, { count: 6, reserve: true }),
      yes(5000, 0, 2000, { count: 2 }),
    ],
  },
  {
    name: "a token bucket of capacity 0, from which one can only reserve",
    limit: { kind: "token bucket", rate: 2, period: SECOND, capacity: 0 },
    rows: [
      no(0, never, 0),
      yes(0, 0, 500, { reserve: true, retryAfter: 500 }),
      yes(0, 0, 1000, { reserve: true, retryAfter: 1000 }),
      yes(250, 0, 1250, { reserve: true, retryAfter: 1250 }),
    ],
  },
  {
    // Windows begin at 100, 10100, 20100, …; the first call is in the window that began at −9900.
    name: "a fixed window with a start",
    limit: {
      kind: "fixed window",
      rate: 2,
      period: 10 * SECOND,
      start: Date.UTC(2026, 0, 1) + 100,
    },
    rows: [
      yes(0, 0, 100, { count: 2 }),
      no(0, 100, 100),
      no(99, 1, 1),
      yes(100, 1, 10_000),
      no(5000, 5100, 5100, { count: 2, remaining: 1 }),
      yes(5000, 0, 5100),
      no(10_099, 1, 1),
      yes(10_100, 0, 10_000, { count: 2 }),
    ],
  },
  {
    // A key holds at most five units; two come back with each window.
    name: "a fixed window whose unused units roll over",
    limit: { kind: "fixed window", rate: 2, period: SECOND, capacity: 5, start: 0 },
    rows: [
      yes(0, 0, 3000, { count: 5 }),
      no(999, 1, 2001),
      yes(1000, 1, 2000),
      no(1000, 1000, 2000, { count: 2, remaining: 1 }),
      no(1000, 2000, 2000, { count: 5, remaining: 1 }),
      yes(3000, 0, 3000, { count: 5 }),
    ],
  },
  {
    name: "a fixed window that is reserved from",
    limit: { kind: "fixed window", rate: 2, period: SECOND, maxReserved: 3, start: 0 },
    rows: [
      yes(500, 0, 1500, { count: 3, reserve: true, retryAfter: 500 }),
      yes(500, 0, 2500, { count: 2, reserve: true, retryAfter: 1500 }),
      no(500, 500, 2500, { reserve: true }),
      no(500, 1500, 2500),
    ],
  },
  {
    // At 78 s, 30 % of the second minute is over. So the first minute counts 70 %: 3 + 5 × 0.7 =
    // 6.5 of 7.
    name: "a sliding window",
    limit: { kind: "sliding window", rate: 7, period: MINUTE, start: 0 },
    rows: [
      yes(30_000, 2, 90_000, { count: 5 }),
      yes(61_000, 1, 119_000),
      yes(75_000, 0, 105_000, { count: 2 }),
      no(78_000, 6000, 102_000),
      no(83_999, 1, 96_001),
      yes(84_000, 0, 96_000),
      no(84_000, never, 96_000, { count: 8 }),
    ],
  },
  {
    name: "a sliding log",
    limit: { kind: "sliding log", rate: 3, period: SECOND },
    rows: [
      yes(0, 2, 1000),
      yes(400, 0, 1000, { count: 2 }),
      no(400, 600, 1000),
      no(999, 1, 401),
      yes(1000, 0, 1000),
      no(1000, 400, 1000),
      no(1000, 1000, 1000, { count: 3 }),
      yes(1400, 1, 1000),
    ],
  },
  {
    // Work starts every 500 ms. Four units fit, including the one that runs.
    name: "a leaky bucket",
    limit: { kind: "leaky bucket", rate: 2, period: SECOND, capacity: 4, maxReserved: 0 },
    rows: [
      yes(0, 3, 500),
      yes(0, 2, 1000, { retryAfter: 500 }),
      yes(0, 0, 2000, { count: 2, retryAfter: 1000 }),
      no(0, 500, 2000),
      no(499, 1, 1501),
      yes(500, 0, 2000, { retryAfter: 1500 }),
      no(500, never, 2000, { count: 5 }),
    ],
  },
  {
    // A timer waits 2³¹ − 1 ms at most, and a call takes 10⁹ units at most.
    name: "a token bucket without maxReserved, reserved from as far ahead as timers go",
    limit: { kind: "token bucket", rate: 1, period: 1, capacity: 1 },
    rows: [
      yes(0, 0, 1e9, { count: 1e9, reserve: true, retryAfter: 1e9 - 1 }),
      yes(0, 0, 2e9, { count: 1e9, reserve: true, retryAfter: 2e9 - 1 }),
      no(0, 1, 2e9, { count: LONGEST_TIMER - 2e9 + 2, reserve: true }),
      yes(0, 0, LONGEST_TIMER + 1, {
        count: LONGEST_TIMER - 2e9 + 1,
        reserve: true,
        retryAfter: LONGEST_TIMER,
      }),
      no(0, 1, LONGEST_TIMER + 1, { reserve: true }),
      yes(1, 0, LONGEST_TIMER + 1, { reserve: true, retryAfter: LONGEST_TIMER }),
      no(1, LONGEST_TIMER + 1, LONGEST_TIMER + 1),
    ],
  },
  {
    // The last unit of a call has to start in time. Here a call of two units would be one unit too
    // many.
    name: "a leaky bucket without maxReserved, whose queue is as long as timers go",
    limit: { kind: "leaky bucket", rate: 1, period: 1, capacity: 1 },
    rows: [
      yes(0, 0, 1e9, { count: 1e9, reserve: true }),
      yes(0, 0, 2e9, { count: 1e9, reserve: true, retryAfter: 1e9 }),
      yes(0, 0, LONGEST_TIMER, {
        count: LONGEST_TIMER - 2e9,
        reserve: true,
        retryAfter: 2e9,
      }),
      no(0, 1, LONGEST_TIMER, { count: 2, reserve: true }),
      yes(0, 0, LONGEST_TIMER + 1, { reserve: true, retryAfter: LONGEST_TIMER }),
      no(0, 1, LONGEST_TIMER + 1, { reserve: true }),
      yes(1, 0, LONGEST_TIMER + 1, { reserve: true, retryAfter: LONGEST_TIMER }),
    ],
  },
  {
    // A call at the beginning of a window waits for the whole window.
    name: "a fixed window without maxReserved, reserved from as far ahead as timers go",
    limit: {
      kind: "fixed window",
      rate: 1,
      period: LONGEST_TIMER,
      start: Date.UTC(2026, 0, 1),
    },
    rows: [
      yes(0, 0, LONGEST_TIMER),
      yes(0, 0, 2 * LONGEST_TIMER, { reserve: true, retryAfter: LONGEST_TIMER }),
      no(0, LONGEST_TIMER, 2 * LONGEST_TIMER, { reserve: true }),
      no(5, LONGEST_TIMER - 5, 2 * LONGEST_TIMER - 5, { reserve: true }),
      yes(LONGEST_TIMER, 0, 2 * LONGEST_TIMER, { reserve: true, retryAfter: LONGEST_TIMER }),
    ],
  },
  {
    name:
      "a fixed window without maxReserved that is longer than timers go, from which " +
      "nothing is reserved",
    limit: {
      kind: "fixed window",
      rate: 1,
      period: LONGEST_TIMER + 1,
      start: Date.UTC(2026, 0, 1),
    },
    rows: [
      no(0, never, 0, { count: 2, reserve: true, remaining: 1 }),
      yes(0, 0, LONGEST_TIMER + 1, { reserve: true }),
      no(1, LONGEST_TIMER, LONGEST_TIMER, { reserve: true }),
    ],
  },
];
