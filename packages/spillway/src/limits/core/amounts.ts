/** The amounts that calls take and give back: plain data. */

/** How much of a budget a call takes. */
export type Amount = {
  /** Units to take: a whole number. 0 takes nothing and asks whether one unit is left. */
  readonly count: number;
  /** Whether to take ahead of time what is not there yet, and to start once it is. */
  readonly reserve: boolean;
  /** The lease that holds the units. For concurrency limits only, where it is required. */
  readonly lease?: LeaseAsk | undefined;
};

/** A lease to be taken. */
export type LeaseAsk = {
  /** Distinguishes it from all other leases of the key: a whole number from 0 to 2⁵³ − 1. */
  readonly id: number;
  /** Units that must be left after it is taken, which keeps room for more important calls. */
  readonly headroom: number;
};

/** A lease that was taken. */
export type LeaseRef = {
  readonly id: number;
  /** The units it holds. */
  readonly count: number;
};

/** Units of a rate that are lent to a process, as known in that process. */
export type ShareRef = {
  /** Distinguishes it from all other shares of the key: a whole number from 1 to 2⁵³ − 1. */
  readonly id: number;
  /** Units that the holder has not used. */
  readonly units: number;
};

/** The report of a holder of shares of a key, sent with a call, and the units that it wants. */
export type Draw = {
  /**
   * The id of the new share. The holder draws it at random, so that it can give a share back whose
   * answer was lost.
   */
  readonly id: number;
  /** Units to lend: a whole number; 0 only reports. */
  readonly want: number;
  /** Shares that the holder keeps, with the units not used of each; at most `MOST_SHARES`. */
  readonly left: readonly ShareRef[];
  /**
   * Shares that the holder returns, with the units not used of each, which come back; at most
   * `MOST_SHARES`.
   */
  readonly back: readonly ShareRef[];
};

/** The result of lending. */
export type Lent = {
  /** Units lent: from 0 to the number that was requested. */
  readonly units: number;
  /**
   * How long the store lists them, in milliseconds from its instant. The holder stops earlier,
   * because it counts from when it sent the draw. 0 if nothing was lent.
   */
  readonly lasts: number;
  /**
   * The ids in `left` with units that the store does not list: it has lost them, or they have
   * expired.
   */
  readonly unlisted: readonly number[];
};

/**
 * An estimate, for which units were taken, and the true number that replaces it; both in whole
 * units.
 */
export type Settlement = {
  readonly reserved: number;
  readonly used: number;
};
