import type { Limit } from "spillway";

const HOUR = 3_600_000;

/**
 * A limit that admits all that a run asks for, and whose units come back so slowly that a key is
 * not fully reset at its next ask: there would be no row to read then.
 */
export const AMPLE = {
  kind: "token bucket",
  rate: 1000,
  period: HOUR,
  capacity: 1_000_000,
} as const satisfies Limit;

/** One way of counting in a SQLite file, set up and asked the way its users do it. */
export type Contender<A = unknown> = {
  readonly name: string;
  /** Sets it up on a file of its own, which is not there yet. */
  open(path: string): Promise<Ask<A>>;
  /** Whether an answer is the one that is due. */
  isDue(answer: A): boolean;
};

/** Asks for one unit of a key. */
export type Ask<A> = (key: string) => A | Promise<A>;
