/** What is asked of a limit, taken and given back: plain data. */

/** How much of a budget is asked for. */
export type Amount = {
  /** Units to take: a whole number. 0 takes nothing and asks whether one unit is left. */
  readonly count: number;
  /** Take ahead of time what is not there yet, and start when it is. */
  readonly reserve: boolean;
  /** The lease that is to hold the units; for a concurrency limit, and only there. */
  readonly lease?: LeaseAsk | undefined;
};

/** A lease that is asked for. */
export type LeaseAsk = {
  /** Distinguishes it from all other leases of the key: a whole number from 0 to 2⁵³ − 1. */
  readonly id: number;
  /** Units that have to be left when it is taken, for asks that matter more. */
  readonly headroom: number;
};

/** A lease that was taken. */
export type LeaseRef = {
  readonly id: number;
  /** The units that it holds. */
  readonly count: number;
};

/** Units of a rate that are lent to a process, as its holder knows them. */
export type ShareRef = {
  /** Distinguishes it from all other shares of the key: a whole number from 1 to 2⁵³ − 1. */
  readonly id: number;
  /** Units that the holder has not used. */
  readonly units: number;
};

/** What the holder of shares of a key says with a call, and what it wants to be lent. */
export type Draw = {
  /** What the new share is to be called: drawn by the holder, so that it can give back one whose answer was lost. */
  readonly id: number;
  /** Units to lend: a whole number; 0 only reports. */
  readonly want: number;
  /** Shares that the holder goes on holding, and what it has not used of each; at most `MOST_SHARES`. */
  readonly left: readonly ShareRef[];
  /** Shares that it holds no longer, and what it has not used of each: that comes back. At most `MOST_SHARES`. */
  readonly back: readonly ShareRef[];
};

/** What was lent. */
export type Lent = {
  /** Units that were lent: as many as were wanted, or fewer, or 0. */
  readonly units: number;
  /**
   * Milliseconds from the store's instant for which the store keeps them listed: the holder stops before, counted
   * from when it sent the draw. 0 where nothing was lent.
   */
  readonly lasts: number;
  /** The ids of those in `left` with units that the store does not list: what it has lost, or what is over. */
  readonly unlisted: readonly number[];
};

/** An estimate that was taken, and the true number that replaces it; both in whole units. */
export type Settlement = {
  readonly reserved: number;
  readonly used: number;
};
