import type { Limit } from "spillway";

const HOUR = 3_600_000;

/**
 * A limit that admits all that a run asks for, and whose units come back so slowly that a key is
 * not fully reset at its next ask: a store would have nothing to read then.
 */
export const AMPLE = {
  kind: "token bucket",
  rate: 1000,
  period: HOUR,
  capacity: 10_000_000,
} as const satisfies Limit;
