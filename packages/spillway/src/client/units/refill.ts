/** Learns from answers how a quota comes back: gradually, or all at once. */
import type { Quota } from "../../http/advice/index.ts";

type QuotaLevel = Pick<Quota, "remaining"> & { readonly resetAfter: number };

/**
 * The least fraction that must be missing to compute a rate from an answer, because numbers may be
 * rounded.
 */
const LEAST_MISSING_PART = 0.05;
/** The shortest plausible period, in milliseconds. */
const SHORTEST_RESET_MS = 1;
/**
 * The number of pairs of answers that must show a gradual return; and the number of recent pairs
 * that count.
 */
const PAIRS_NEEDED = 1.5;
const PAIRS_COUNTED = 20;
/** The factor by which numbers may differ through rounding. */
const ROUNDING_FACTOR = 1.001;

/**
 * Learns how a quota comes back, and how fast. Instants are milliseconds of a monotonic clock.
 *
 * If units come back gradually, fewer units left mean a longer time until all are back. If they
 * come back all at once, fewer units left mean a shorter time. This holds for answers in any order.
 */
export class RefillRate {
  #last: QuotaLevel | undefined;
  #capacity = 0;
  #period: number | undefined;
  /**
   * Pairs of answers that show a gradual return, and pairs that show a return all at once. Older
   * pairs count less.
   */
  #bits = 0;
  #all = 0;
  /** Bounds of the units a millisecond that come back gradually; undefined if nothing is known. */
  #rate: { readonly low: number; readonly high: number } | undefined;

  /** The maximum number of units that can be left. */
  get capacity(): number {
    return this.#capacity;
  }

  /**
   * Units a millisecond that come back gradually; 0 if they come back all at once, or if that is
   * not known.
   */
  get rate(): number {
    return this.isRolling ? (this.#rate?.low ?? 0) : 0;
  }

  /**
   * Units a millisecond that come back on average, in either way; undefined if that is not known.
   */
  get average(): number | undefined {
    if (this.isRolling) return this.#rate?.low;
    return this.#period === undefined ? undefined : this.#capacity / this.#period;
  }

  /** Whether units come back gradually. */
  get isRolling(): boolean {
    return this.#bits >= PAIRS_NEEDED && this.#bits > this.#all;
  }

  /**
   * The period in milliseconds, if all units come back at once; undefined if they come back
   * gradually, or if it is not known.
   */
  get period(): number | undefined {
    return this.isRolling ? undefined : this.#period;
  }

  learn(quota: Quota): void {
    const { capacity, remaining, resetAfter, resolution, period } = quota;
    const most = Math.max(remaining, capacity ?? this.#capacity);
    if (most !== this.#capacity) this.#rate = undefined;
    this.#capacity = most;
    if (resetAfter === undefined) return;
    this.#compare({ remaining, resetAfter }, resolution);
    const longest = Math.max(this.#period ?? 0, resetAfter);
    this.#period = period ?? (longest >= SHORTEST_RESET_MS ? longest : undefined);
    const missing = most - remaining;
    if (missing >= LEAST_MISSING_PART * most && resetAfter > 0)
      this.#narrow(
        missing / resetAfter,
        missing / Math.max(SHORTEST_RESET_MS, resetAfter - resolution),
      );
  }

  #compare(said: QuotaLevel, resolution: number): void {
    const last = this.#last;
    this.#last = said;
    if (last === undefined) return;
    const longer = said.resetAfter - last.resetAfter;
    const more = said.remaining - last.remaining;
    if (Math.abs(longer) <= resolution || more === 0) {
      // Keeps the older answer, because the difference is too small to show anything.
      this.#last = last;
      return;
    }
    const isBits = longer < 0 === more > 0;
    this.#bits += (Number(isBits) * PAIRS_COUNTED - this.#bits) / PAIRS_COUNTED;
    this.#all += (Number(!isBits) * PAIRS_COUNTED - this.#all) / PAIRS_COUNTED;
  }

  /**
   * Narrows the bounds of the rate by one more answer. If it contradicts earlier ones, it replaces
   * them.
   */
  #narrow(low: number, high: number): void {
    const known = this.#rate ?? { low: 0, high: Number.POSITIVE_INFINITY };
    const both = { low: Math.max(low, known.low), high: Math.min(high, known.high) };
    this.#rate = both.low <= both.high * ROUNDING_FACTOR ? both : { low, high };
  }
}
