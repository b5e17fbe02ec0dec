/** How many units to be lent, from what is asked here. Pure. */

/** Milliseconds over which demand is averaged: what is asked now counts e times as much as then. */
const MEMORY = 2000;
/** Units for so long are wanted, */
const USUAL = 1000;
/** and where few are asked, for so long, up to so many: a call each second is too often for a few units. */
const LONGEST = 8000;
const FEW = 40;
/** but no more than are used in such a part of the time for which they are held: what ends unused is lost to a window. */
const PART = 0.5;
/** At most so many times what was asked since the last draw, so that a rush is not taken for a rule. */
const GROWTH = 2;

/** The units that a process asks of a key. Times are milliseconds. */
export class Demand {
  /** Units asked for since the last fold. */
  #units = 0;
  #perMs = 0;
  #since: number;
  /** For how long units are wanted, as usual and at most. */
  readonly #usual: number;
  readonly #longest: number;

  /** @param share How long units are held, in milliseconds. */
  constructor(now: number, share: number) {
    this.#since = now;
    this.#usual = Math.min(USUAL, share * PART);
    this.#longest = Math.min(LONGEST, share * PART);
  }

  /** Notes that units are asked for. */
  note(units: number): void {
    this.#units += units;
  }

  /**
   * How many units to be lent, beside those that are held, not rounded; to be asked once a draw.
   *
   * Where the store goes on having too little few are wanted, so that others find something as well.
   */
  want(held: number, now: number, { isScarce = false } = {}): number {
    const most = GROWTH * this.#units + 1;
    const perMs = this.#fold(now);
    const few = Math.min(FEW, perMs * this.#longest);
    const wanted = (isScarce ? few : Math.max(few, perMs * this.#usual)) - held;
    return Math.max(0, Math.min(wanted, most));
  }

  /** Units a millisecond: an average that forgets. */
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
