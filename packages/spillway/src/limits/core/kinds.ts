/** How the kinds of rate differ in what they take and in what they promise. */
type RateTraits = {
  /** What requests to the ports of the steps call it, and what they have stored: never changed. 6 is concurrency. */
  readonly number: number;
  /** Whether it can hold more or less than its rate, and be taken from ahead of time. */
  readonly holds: boolean;
  /** Whether it counts by windows, whose beginning can be chosen. */
  readonly windows: boolean;
  /** Whether what is admitted waits for all that was admitted before. */
  readonly queues: boolean;
  /**
   * The same as `number` for a limit of this kind with `share`, whose states keep a list of shares; 0
   * where units of this kind can't be lent.
   */
  readonly lentNumber: number;
};

/** The kinds of rate. One more is a line here, and a file and a line in `limits/algorithms/kinds.ts`. */
export const RATE_KINDS = {
  "token bucket": { number: 1, holds: true, windows: false, queues: false, lentNumber: 7 },
  "fixed window": { number: 3, holds: true, windows: true, queues: false, lentNumber: 8 },
  "sliding window": { number: 4, holds: false, windows: true, queues: false, lentNumber: 9 },
  "sliding log": { number: 5, holds: false, windows: false, queues: false, lentNumber: 0 },
  "leaky bucket": { number: 2, holds: true, windows: false, queues: true, lentNumber: 0 },
} as const satisfies { readonly [kind: string]: RateTraits };

/** The name of a kind of rate. */
export type RateKind = keyof typeof RATE_KINDS;
