/** Learns from answers how a quota comes back: bit by bit, or all at once. */
import type { Quota } from "../../http/advice/index.ts";

type QuotaLevel = Pick<Quota, "remaining"> & { readonly resetAfter: number };

/**
 * The least fraction that must be missing to compute a rate from an answer, because numbers may be
 * rounded.
 */
const LEAST_MISSING_PART = 0.05;
/** The shortest period that is believed, in milliseconds. */
const SHORTEST_RESET_MS = 1;
/** Pairs of answers that must show a return bit by bit; and the number of pairs that count. */
const PAIRS_NEEDED = 1.5;
const PAIRS_COUNTED = 20;
/** The factor by which rounded numbers may differ. */
const ROUNDING_FACTOR = 1.001;

/**
 * Learns how a quota comes back, and how fast. Instants are milliseconds of a monotonic clock.
 *
 * If units come back bit by bit, it takes longer until all are back the less is left. If they come
 * back all at once, it takes less time the less is left. This holds in whatever order answers come,
 * and whenever they were made.
 */
export class RefillRate {
  #last: QuotaLevel | undefined;
  #capacity = 0;
  #period: number | undefined;
  /**
   * Pairs of answers that show a return bit by bit, and those that show one all at once. Older ones
   * decay.
   */
  #bits = 0;
  #all = 0;
  /** Bounds of the units a millisecond that come back bit by bit; undefined if nothing is known. */
  #rate: { readonly low: number; readonly high: number } | undefined;

  /** The most units that can be left. */
  get capacity(): number {
    return this.#capacity;
  }

  /**
   * Units a millisecond that come back bit by bit; 0 if they come back all at once, or if it is not
   * known.
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

  /** Whether units come back bit by bit. */
  get isRolling(): boolean {
    return this.#bits >= PAIRS_NEEDED && this.#bits > this.#all;
  }

  /**
   * The milliseconds of a period, if all comes back at once; undefined if it does not, or if that
   * is not known.
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
