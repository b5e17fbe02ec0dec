/** The limits that must hold to the unit. */
import type { Limits } from "../../../../src/core/index.ts";

/** Far longer than a test. */
const HOUR = 3_600_000;

/** For callers who each send requests of their own, which go a way of their own through the script. */
export const ALONE = "token bucket, one ask a request";

/**
 * Limits of which two looks at their state tell how much was charged.
 *
 * Their capacity is many times what comes back in a second: they never rest, however slow the
 * processes start, so that nothing that would have come back is lost.
 *
 * @param start When the window begins that outlasts the test.
 */
export function countedLimits(start: number) {
  return {
    "token bucket": { kind: "token bucket", rate: 700, period: 3000, capacity: 20_000 },
    [ALONE]: { kind: "token bucket", rate: 137, period: 500, capacity: 20_000 },
    "leaky bucket": { kind: "leaky bucket", rate: 301, period: 1000, capacity: 20_000 },
    "fixed window": { kind: "fixed window", rate: 150, period: 700, capacity: 15_000, start: 0 },
    "sliding window": { kind: "sliding window", rate: 9000, period: HOUR, start },
    "sliding log": { kind: "sliding log", rate: 7000, period: HOUR },
  } as const satisfies Limits;
}

/** Limits whose bound is looked for in every span, among all admissions. */
export const SHORT_LIMITS = {
  "short sliding window": { kind: "sliding window", rate: 170, period: 640, start: 0 },
  "short sliding log": { kind: "sliding log", rate: 130, period: 450 },
} as const satisfies Limits;
