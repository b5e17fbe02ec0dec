/** Penalties: blocks of keys that are refused again and again. */
import type { Duration } from "./durations.ts";

/** When a limit blocks a key that it refuses again and again; see `docs/penalties.md`. */
export type Penalty = {
  /** The number of refusals after which a key is blocked: 1 to 1 000 000. */
  readonly after: number;
  /** The time in which they count, from the first one on: 1 ms to 366 days. */
  readonly within: Duration;
  /** The length of the first block: 1 ms to 366 days. It doubles with each further block. */
  readonly block: Duration;
  /**
   * The length of the longest block: `block` to 366 days. Once a key has had no block for as long,
   * the next one is a first one again.
   */
  readonly most: Duration;
};

/** A penalty that was checked. All times are in milliseconds. */
export type PenaltySettings = { readonly [F in keyof Penalty]: number };

/**
 * The refusals and penalties of a key that still count: four whole numbers beside its state.
 * Instants are in milliseconds since 1970.
 *
 * It does not depend on the definition of the limit, or on its penalty: a store can tell from it
 * alone until when it matters.
 */
export type PenaltyRecord = {
  /** The refusals that count towards the next penalty. */
  readonly refusals: number;
  /**
   * The instant until which the refusals count. If there are none, the instant at which the last
   * penalty ends or has ended; 0 if it ended early or there was none.
   */
  readonly until: number;
  /** How often the next block doubles: the number of penalties so far, at most 35. */
  readonly level: number;
  /** The instant at which the level is forgotten; 0 if it is 0. */
  readonly forgottenAt: number;
};

/** Returns a record with all instants moved back, for a clock that stepped back. */
export function penaltyBefore(record: PenaltyRecord, ms: number): PenaltyRecord {
  const { until, forgottenAt } = record;
  const [end, forgotten] = [Math.max(0, until - ms), Math.max(0, forgottenAt - ms)];
  return { ...record, until: end, forgottenAt: forgotten };
}
