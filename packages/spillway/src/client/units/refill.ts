/** How a quota comes back, by what answers say of it: bit by bit, or all at once. */
import type { Quota } from "../../http/advice/index.ts";

type QuotaLevel = Pick<Quota, "remaining"> & { readonly resetAfter: number };

/**
 * An answer says how fast units come back where at least this part is missing: numbers may be
 * rounded.
 */
const LEAST_MISSING_PART = 0.05;
/** Milliseconds: a shorter time says nothing. */
const SHORTEST_RESET_MS = 1;
/** Answers that speak for one of the two, of those that count. */
const PAIRS_NEEDED = 1.5;
const PAIRS_COUNTED = 20;
/** What numbers are rounded by. */
const ROUNDING_FACTOR = 1.001;

/**
 * Of what comes back bit by bit, the less is left the longer it takes until all is; of what comes
 * back all at once, the less is left the sooner that is. Whatever order answers come in, and
 * whenever they were made.
 *
 * Milliseconds of a clock that never steps.
 */
export class RefillRate {
  #last: QuotaLevel | undefined;
  #capacity = 0;
  #period: number | undefined;
  /** Pairs of answers that speak for the one and for the other. */
  #bits = 0;
  #all = 0;
  /** Units a millisecond that come back bit by bit, as far as is known. */
  #rate: { readonly low: number; readonly high: number } | undefined;

  /** The most units that can be left. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Units a millisecond that come back bit by bit; 0 where they do not. */
  get rate(): number {
    return this.isRolling ? (this.#rate?.low ?? 0) : 0;
  }

  /** The same on average, however they come back; undefined where that is not known. */
  get average(): number | undefined {
    if (this.isRolling) return this.#rate?.low;
    return this.#period === undefined ? undefined : this.#capacity / this.#period;
  }

  /** Whether units come back bit by bit. */
  get isRolling(): boolean {
    return this.#bits >= PAIRS_NEEDED && this.#bits > this.#all;
  }

  /**
   * How long it is for, where all of it comes back at once; undefined where it does not, or where
   * that is not known.
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
      // What has not changed enough is compared with the next one.
      this.#last = last;
      return;
    }
    const isBits = longer < 0 === more > 0;
    this.#bits += (Number(isBits) * PAIRS_COUNTED - this.#bits) / PAIRS_COUNTED;
    this.#all += (Number(!isBits) * PAIRS_COUNTED - this.#all) / PAIRS_COUNTED;
  }

  /**
   * Each answer leaves less room for doubt; where they contradict each other, the last one holds.
   */
  #narrow(low: number, high: number): void {
    const known = this.#rate ?? { low: 0, high: Number.POSITIVE_INFINITY };
    const both = { low: Math.max(low, known.low), high: Math.min(high, known.high) };
    this.#rate = both.low <= both.high * ROUNDING_FACTOR ? both : { low, high };
  }
}
