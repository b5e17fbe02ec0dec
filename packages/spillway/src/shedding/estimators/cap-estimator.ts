/** A piece of work that was served. Instants are milliseconds from any starting point. */
export type CapSample = {
  readonly started: number;
  readonly ended: number;
  /** The work in flight when it ended, including itself. */
  readonly inFlight: number;
};

/** Estimates from served work how much work should be in flight. */
export type CapEstimator = {
  /** The maximum work that should be in flight: a whole number from 1 to a million. */
  readonly cap: number;
  /** Learns from served work. Failed or refused work is not a sample. */
  learn(sample: CapSample): void;
  /** Lowers the cap, because something other than latency shows an overload. */
  backOff(): void;
};

/** The largest possible cap. */
export const MOST_CAP = 1_000_000;

/** Returns a cap that never changes. Pure. */
export function fixedCap(cap: number): CapEstimator {
  return { cap, learn: () => {}, backOff: () => {} };
}
