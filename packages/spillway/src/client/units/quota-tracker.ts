/**
 * Predicts the units left of a quota between two answers, by one way of counting.
 *
 * An observer in the sense of control theory (D. Luenberger, 1964): it predicts what an answer will
 * report as left, and is corrected by what it does report. Errors that repeat are the use by
 * others, or a server that counts differently from the estimate.
 */

/**
 * How a quota comes back: in units a millisecond, up to the maximum number of units that can be
 * left.
 */
export type QuotaRefill = { readonly rate: number; readonly capacity: number };

/** A prediction at an instant, and the sum of corrections made until then. */
export type PredictionMark = {
  readonly at: number;
  readonly left: number;
  readonly corrected: number;
  readonly others: number;
};

/** How many units more or fewer than predicted may be left without an error of the prediction. */
export type ErrorBounds = { readonly above: number; readonly below: number };

/** The time constant, in milliseconds, with which the use by others is learnt. */
const OTHERS_LEARNT_MS = 5000;
/**
 * Milliseconds without an answer after which the use by others is gradually forgotten. Otherwise it
 * might prevent every request, and with that the answer that corrects it.
 */
const OTHERS_FORGOTTEN_MS = 30_000;
/** The number of answers over which the error is averaged. */
const ERROR_SAMPLES = 10;

/** The prediction of one quota. Instants are milliseconds of a monotonic clock. */
export class QuotaTracker {
  #left: number;
  #at: number;
  #corrected = 0;
  #others = 0;
  #error = 0;
  /** The instant at which the last report was true, and the instant at which it was received. */
  #truth: number;
  #heard: number;

  constructor(left: number, at: number) {
    this.#left = left;
    this.#at = at;
    this.#truth = at;
    this.#heard = at;
  }

  /** The units left; below 0 if more were used than there were. */
  get left(): number {
    return this.#left;
  }

  /**
   * The use by others in units a millisecond, as far as it is known; below 0 if less is used than
   * estimated.
   */
  get others(): number {
    return this.#others;
  }

  /** The average error of recent predictions, in units. */
  get error(): number {
    return this.#error;
  }

  get mark(): PredictionMark {
    return {
      at: this.#at,
      left: this.#left,
      corrected: this.#corrected,
      others: this.#others,
    };
  }

  /** Advances the prediction to `now`: units come back, and others use some. */
  pass(now: number, { rate, capacity }: QuotaRefill): void {
    const gap = Math.max(0, now - this.#at);
    this.#at = Math.max(this.#at, now);
    this.#left = Math.min(capacity, this.#left + gap * (rate - this.#others));
    if (now > this.#heard + OTHERS_FORGOTTEN_MS)
      this.#others *= Math.exp(-gap / OTHERS_FORGOTTEN_MS);
  }

  /** Counts units that are used here; if negative, units that come back. */
  use(count: number): void {
    this.#left -= count;
  }

  /**
   * Sets what is left when the whole quota is back. Reports of earlier instants no longer count.
   */
  fill(now: number, left: number): void {
    this.#corrected += left - this.#left;
    this.#left = left;
    this.#truth = now;
  }

  /**
   * Corrects the prediction by what a server reported as left at the instant of a mark. Ignores
   * reports of instants before the last one.
   *
   * @param most The fastest use by others that is possible, in units a millisecond.
   */
  correct(
    remaining: number,
    mark: PredictionMark,
    { above, below, most }: ErrorBounds & { readonly most: number },
  ): void {
    const gap = mark.at - this.#truth;
    if (gap < 0) return;
    const predicted = mark.left + this.#corrected - mark.corrected;
    const wrong = remaining - Math.min(predicted + above, Math.max(predicted - below, remaining));
    this.#truth = mark.at;
    this.#heard = this.#at;
    this.#left += wrong;
    this.#corrected += wrong;
    this.#error += (Math.abs(wrong) - this.#error) / ERROR_SAMPLES;
    if (gap > OTHERS_LEARNT_MS + OTHERS_FORGOTTEN_MS) return;
    const drift = (mark.others - this.#others) * gap - wrong;
    this.#others = Math.min(most, Math.max(-most, this.#others + drift / OTHERS_LEARNT_MS));
  }
}
