/** Estimates how many units a process needs, from its recent calls. Pure. */

/**
 * The time over which demand is averaged, in milliseconds: a call now counts e times as much as one
 * that long ago.
 */
const MEMORY = 2000;
/** The time for which units are wanted, in milliseconds. */
const USUAL = 1000;
/**
 * The longest such time, for keys with low demand, up to a number of units: a draw each second is
 * too often for a few units.
 */
const LONGEST = 8000;
const FEW = 40;
/**
 * The largest part of the holding time for which units are wanted. Units that expire unused are
 * lost for a window.
 */
const PART = 0.5;
/**
 * The maximum number of units to draw, as a multiple of the units requested since the last draw, so
 * that a short burst is not mistaken for lasting demand.
 */
const GROWTH = 2;

/** The demand of a process for the units of a key. Times are milliseconds. */
export class KeyDemand {
  /** Units asked for since the average was last updated. */
  #units = 0;
  #perMs = 0;
  #since: number;
  /** The time for which units are wanted: usually, and at most. */
  readonly #usual: number;
  readonly #longest: number;

  /** @param share How long units are held, in milliseconds. */
  constructor(now: number, share: number) {
    this.#since = now;
    this.#usual = Math.min(USUAL, share * PART);
    this.#longest = Math.min(LONGEST, share * PART);
  }

  /** Records a call for units. */
  note(units: number): void {
    this.#units += units;
  }

  /**
   * Returns how many units to borrow in addition to those held, not rounded. Call it once a draw.
   *
   * If the store has been short of units for a long time, fewer are wanted, so that other processes
   * find some as well.
   */
  want(held: number, now: number, { isScarce = false } = {}): number {
    const most = GROWTH * this.#units + 1;
    const perMs = this.#fold(now);
    const few = Math.min(FEW, perMs * this.#longest);
    const wanted = (isScarce ? few : Math.max(few, perMs * this.#usual)) - held;
    return Math.max(0, Math.min(wanted, most));
  }

  /** Updates and returns the average demand, in units a millisecond. */
  #fold(now: number): number {
    const ms = Math.max(0, now - this.#since);
    const kept = Math.exp(-ms / MEMORY);
    const recent = ms === 0 ? 1 / MEMORY : (1 - kept) / ms;
    this.#perMs = this.#perMs * kept + this.#units * recent;
    this.#units = 0;
    this.#since = now;
    return this.#perMs;
  }
}
