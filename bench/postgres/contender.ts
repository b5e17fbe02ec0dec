import type { Pool } from "pg";
import type { Limit } from "spillway";
import type { Contender } from "../load.ts";

const HOUR = 3_600_000;

/** A limit that admits all that a run asks for, and whose units come back slowly. */
export const AMPLE = {
  kind: "token bucket",
  rate: 1000,
  period: HOUR,
  capacity: 10_000_000,
} as const satisfies Limit;

/** One way of counting in Postgres, or of asking it for nothing. */
export type PostgresContender<A = unknown> = Contender<Pool, A>;
