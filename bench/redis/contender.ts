import type { Redis } from "ioredis";
import type { Limit } from "spillway";

const HOUR = 3_600_000;

/**
 * A limit that admits all that a run asks for, and whose units come back so slowly that a key is
 * not as good as fresh at its next ask: Redis would have nothing to read then.
 */
export const AMPLE = {
  kind: "token bucket",
  rate: 1000,
  period: HOUR,
  capacity: 1_000_000,
} as const satisfies Limit;

/** One way of counting in Redis, set up and asked the way its users do it. */
export type Contender<A = unknown> = {
  readonly name: string;
  /**
   * Sets it up on a client of its own.
   *
   * @param callers How many there will be, each with one ask in flight.
   */
  open(client: Redis, callers: number): Promise<Ask<A>>;
  /** Whether an answer lets the caller go. */
  admits(answer: A): boolean;
};

/** Asks for one unit of a key. Callers are numbered from 0. */
export type Ask<A> = (key: string, caller: number) => Promise<A>;
