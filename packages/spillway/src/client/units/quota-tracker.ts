/**
 * What is left of a quota between two answers, as one way of counting has it.
 *
 * An observer in the sense of control theory (D. Luenberger, 1964): it foretells what an answer will say is left, and is
 * set right by what it says. What it is wrong about again and again others use, or the server counts otherwise than
 * is estimated.
 */

/** How a quota comes back: units a millisecond, and the most that there are. */
export type QuotaRefill = { readonly rate: number; readonly capacity: number };

/** What was predicted at an instant, and how much had been corrected until then. */
export type TrackMark = {
  readonly at: number;
  readonly left: number;
  readonly corrected: number;
  readonly others: number;
};

/** So many units more or less may be left than is predicted, and that says nothing. */
export type ErrorBounds = { readonly above: number; readonly below: number };

/** Milliseconds in which most of what others use is found out. */
const OTHERS_LEARNT_MS = 5000;
/** Milliseconds without an answer from which on that is forgotten, by and by: or nothing would be sent any more that shows it. */
const OTHERS_FORGOTTEN_MS = 30_000;
/** Answers over which it is counted how wrong it was. */
const ERROR_SAMPLES = 10;

/** Milliseconds of a clock that never steps. */
export class QuotaTracker {
  #left: number;
  #at: number;
  #corrected = 0;
  #others = 0;
  #error = 0;
  /** For when the last answer was true, and when it was there. */
  #truth: number;
  #heard: number;

  constructor(left: number, at: number) {
    this.#left = left;
    this.#at = at;
    this.#truth = at;
    this.#heard = at;
  }

  /** What is left; below 0 where more was used than there was. */
  get left(): number {
    return this.#left;
  }

  /** Units a millisecond that others use, as far as is known; below 0 where less is used than is estimated. */
  get others(): number {
    return this.#others;
  }

  /** By how many units it was wrong, lately. */
  get error(): number {
    return this.#error;
  }

  get mark(): TrackMark {
    return {
      at: this.#at,
      left: this.#left,
      corrected: this.#corrected,
      others: this.#others,
    };
  }

  /** Time goes by. */
  pass(now: number, { rate, capacity }: QuotaRefill): void {
    const gap = Math.max(0, now - this.#at);
    this.#at = Math.max(this.#at, now);
    this.#left = Math.min(capacity, this.#left + gap * (rate - this.#others));
    if (now > this.#heard + OTHERS_FORGOTTEN_MS)
      this.#others *= Math.exp(-gap / OTHERS_FORGOTTEN_MS);
  }

  /** Units are used here, or come back where that is negative. */
  use(count: number): void {
    this.#left -= count;
  }

  /** All of it is there again: what was said before holds no more. */
  fill(now: number, left: number): void {
    this.#corrected += left - this.#left;
    this.#left = left;
    this.#truth = now;
  }

  /**
   * A server said what was left at the instant of a mark. What is older than that of an answer before says nothing.
   *
   * @param most The fastest that others can use it, in units a millisecond.
   */
  correct(
    remaining: number,
    mark: TrackMark,
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
