/** A piece of work that was served; instants in milliseconds from any beginning. */
export type CapSample = {
  readonly started: number;
  readonly ended: number;
  /** What was in flight when it ended, itself included. */
  readonly inFlight: number;
};

/** Finds out how much should be in flight, from what is served. */
export type CapEstimator = {
  /** The most that should be in flight: a whole number from 1 to a million. */
  readonly cap: number;
  /** Learns from work that was served; what failed or was refused is no sample. */
  learn(sample: CapSample): void;
  /** Something else than latency says that there is too much: lowers the cap. */
  backOff(): void;
};

/** The largest cap that there can be. */
export const MOST_CAP = 1_000_000;

/** A cap that stays what it is. Pure. */
export function fixedCap(cap: number): CapEstimator {
  return { cap, learn: () => {}, backOff: () => {} };
}
