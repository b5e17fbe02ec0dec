import type { Redis } from "ioredis";
import type { Limit } from "spillway";
import type { Contender } from "../load.ts";

const HOUR = 3_600_000;

/**
 * A limit that admits all that a run asks for, and whose units come back so slowly that a key is
 * not fully reset at its next ask: Redis would have nothing to read then.
 */
export const AMPLE = {
  kind: "token bucket",
  rate: 1000,
  period: HOUR,
  capacity: 1_000_000,
} as const satisfies Limit;

/** One way of counting in Redis. */
export type RedisContender<A = unknown> = Contender<Redis, A>;
