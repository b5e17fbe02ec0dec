/** The samples that a rate is learnt from, and the rate that is kept during an outage. */

/**
 * The rate that was served before an outage, in requests a millisecond; and whether it may be a
 * limit.
 */
export type ProvenRate = { readonly rate: number; readonly isLimit: boolean };

/** A refusal, as a sample for the learnt rate. */
export type RefusalSample = {
  /**
   * The rate that the known quotas allowed, in requests a millisecond; may be `Infinity`.
   */
  readonly paced: number;
  /** Milliseconds for which nothing is to be sent; 0 if the server names no wait. */
  readonly wait: number;
  /** The fraction of requests that count as served, but were refused too: 0 to 1. */
  readonly share: number;
};
