/** The properties in which kinds of rate differ. */
type RateTraits = {
  /**
   * The kind's number in requests to ports and in stored states. It never changes. 6 is
   * concurrency.
   */
  readonly number: number;
  /** Whether it has a capacity of its own, and reservations. */
  readonly holds: boolean;
  /** Whether it counts by windows, whose start can be chosen. */
  readonly windows: boolean;
  /** Whether an admitted call waits for everything admitted before. */
  readonly queues: boolean;
  /**
   * The number of a limit of this kind with `share`, whose states keep a list of shares; 0 if units
   * of this kind can't be lent.
   */
  readonly lentNumber: number;
};

/**
 * The kinds of rate. A new one is a line here, and a file and a line in
 * `limits/algorithms/kinds.ts`.
 */
export const RATE_KINDS = {
  "token bucket": { number: 1, holds: true, windows: false, queues: false, lentNumber: 7 },
  "fixed window": { number: 3, holds: true, windows: true, queues: false, lentNumber: 8 },
  "sliding window": { number: 4, holds: false, windows: true, queues: false, lentNumber: 9 },
  "sliding log": { number: 5, holds: false, windows: false, queues: false, lentNumber: 0 },
  "leaky bucket": { number: 2, holds: true, windows: false, queues: true, lentNumber: 0 },
} as const satisfies { readonly [kind: string]: RateTraits };

/** The name of a kind of rate. */
export type RateKind = keyof typeof RATE_KINDS;
