import type { Algorithm } from "./algorithm.ts";
import type { Kind } from "./limit.ts";

/**
 * A limit made ready for exact arithmetic.
 *
 * What a key has used is counted in *parts*, whole numbers below 2⁵²: one unit is `scale` parts, and
 * `gain` parts come back each millisecond, where rate/period = gain/scale in lowest terms. So no
 * fraction is ever rounded, for any rate and period, and doubles carry every number exactly.
 */
export type Plan = {
  /** The limit's name. */
  readonly limit: string;
  readonly kind: Kind;
  /** Units that come back in a period. */
  readonly rate: number;
  /** Milliseconds. */
  readonly period: number;
  /** The most units a key can hold. */
  readonly capacity: number;
  /** The most units that can be taken ahead of time; `Infinity` where unbounded. */
  readonly maxReserved: number;
  /** An instant at which a window begins; undefined where each key has its own. */
  readonly start: number | undefined;
  /** Parts in one unit. */
  readonly scale: number;
  /** Parts that come back in a millisecond, for kinds that drip; 0 for the others. */
  readonly gain: number;
  /** The capacity, in parts. */
  readonly full: number;
  /** The most parts that can be taken ahead of time. */
  readonly spare: number;
  /** Whether units can be taken ahead of time at all. */
  readonly reservable: boolean;
  /** The most units one ask can ever be granted. */
  readonly largest: number;
  /** The same for an ask that reserves. */
  readonly largestReserved: number;
  /** Moments of a state are apart by multiples of this: the period for windows, else 1 ms. */
  readonly grid: number;
  readonly algorithm: Algorithm;
};
