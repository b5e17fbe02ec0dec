/** The limits that must hold to the unit. */
import type { Limits } from "../../../src/limits/core/index.ts";

/** Far longer than a test. */
const HOUR = 3_600_000;

/** For callers who each send requests of their own, which go a way of their own through a store. */
export const ALONE = "token bucket, one call a request";

export type Size = {
  /** A thousandth of what is there to be used up. */
  readonly units: number;
  /** How fast it comes back: 1 is a few hundred units in a second. */
  readonly pace: number;
};

/**
 * Limits of which two looks at their state tell how much was charged.
 *
 * Their capacity is many times what comes back in a second: they never rest, however slow the
 * processes start, so that nothing that would have come back is lost.
 *
 * @param start When the window begins that outlasts the test.
 */
export function countedLimits({ units, pace }: Size, start: number) {
  const paced = (rate: number) => Math.ceil(rate * pace);
  const capacity = 20 * units;
  return {
    "token bucket": { kind: "token bucket", rate: paced(700), period: 3000, capacity },
    [ALONE]: { kind: "token bucket", rate: paced(137), period: "500ms", capacity },
    "leaky bucket": { kind: "leaky bucket", rate: paced(301), period: 1000, capacity },
    "fixed window": { kind: "fixed window", rate: paced(150), period: "700ms", capacity, start: 0 },
    "sliding window": { kind: "sliding window", rate: 9 * units, period: HOUR, start },
    "sliding log": { kind: "sliding log", rate: 7 * units, period: HOUR },
  } as const satisfies Limits;
}

/** Limits whose bound is looked for in every span, among all admissions. */
export function shortLimits({ pace }: Pick<Size, "pace">) {
  return {
    "short sliding window": {
      kind: "sliding window",
      rate: Math.ceil(170 * pace),
      period: "640ms",
      start: 0,
    },
    "short sliding log": { kind: "sliding log", rate: Math.ceil(130 * pace), period: "450ms" },
  } as const satisfies Limits;
}

/** What the former and the latter are called. */
export const COUNTED: readonly string[] = Object.keys(countedLimits({ units: 1, pace: 1 }, 0));
export const SHORT: readonly string[] = Object.keys(shortLimits({ pace: 1 }));
