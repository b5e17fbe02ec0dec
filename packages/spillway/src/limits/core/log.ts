/** Numbers for each entry: its instant, and the units of all entries up to and including it. */
const WIDTH = 2;
/** Sums are recounted before they could become inexact. */
const MOST_SUM = 2 ** 52;

/**
 * Admitted asks in order of time, in a ring of 16 bytes an entry. Entries of one instant are
 * merged.
 *
 * Units are kept as running sums, so that finding an instant, and the number of units before it,
 * takes steps that grow with the logarithm of the length.
 */
export class Log {
  // A plain array: for a handful of numbers it has a third of the size of a typed array.
  #ring: number[] | Float64Array = [];
  #first = 0;
  #length = 0;
  /** The sum before the oldest entry. */
  #dropped = 0;
  /**
   * Whether an entry may stand for several, at the instant of the last of them. A store then
   * returned only what the answers to certain calls depend on.
   */
  isSummary = false;

  /**
   * Creates a log from the instant and units of each entry, oldest first.
   *
   * @param numbers Taken over, not copied. Room for more entries after the first `length` saves a
   * later copy.
   */
  static from(numbers: Float64Array, length: number): Log {
    const log = new Log();
    let sum = 0;
    for (let cell = 1; cell < length * WIDTH; cell += WIDTH) {
      sum += numbers[cell] as number;
      numbers[cell] = sum;
    }
    log.#ring = numbers;
    log.#length = length;
    return log;
  }

  /** Returns the instant and units of each entry, oldest first. */
  toNumbers(): Float64Array {
    const numbers = new Float64Array(this.#length * WIDTH);
    let before = this.#dropped;
    for (let index = 0; index < this.#length; index++) {
      const sum = this.#sum(index);
      numbers[index * WIDTH] = this.instant(index);
      numbers[index * WIDTH + 1] = sum - before;
      before = sum;
    }
    return numbers;
  }

  /** The number of entries. */
  get length(): number {
    return this.#length;
  }

  /** Returns the instant of an entry; 0 is the oldest. */
  instant(index: number): number {
    return this.#ring[this.#cell(index)] as number;
  }

  /** Returns the units of an entry. */
  units(index: number): number {
    return this.#sum(index) - this.#sum(index - 1);
  }

  /** Returns the units of the oldest `count` entries. */
  unitsOfFirst(count: number): number {
    return this.#sum(count - 1) - this.#dropped;
  }

  /** Returns the number of entries that are not after an instant. */
  countUntil(instant: number): number {
    return this.#search((index) => this.instant(index) > instant);
  }

  /**
   * Returns the index of the oldest entry at which this many units had been admitted, counted from
   * the oldest.
   */
  indexOfUnits(units: number): number {
    return this.#search((index) => this.unitsOfFirst(index + 1) >= units);
  }

  /**
   * Adds units at an instant that is not before the newest entry. An entry of the same instant is
   * extended.
   */
  push({ instant, units }: { readonly instant: number; readonly units: number }): void {
    if (this.#sum(this.#length - 1) + units > MOST_SUM) this.#write(this.#ring.length / WIDTH);
    const newest = this.#length - 1;
    const sum = this.#sum(newest) + units;
    if (newest >= 0 && this.instant(newest) === instant) {
      this.#ring[this.#cell(newest) + 1] = sum;
      return;
    }
    if (this.#length * WIDTH === this.#ring.length) this.#write(Math.max(1, this.#length * 2));
    this.#length++;
    this.#set(newest + 1, { instant, sum: this.#sum(newest) + units });
  }

  /** Removes the oldest entries up to and including an instant. */
  dropUntil(instant: number): void {
    const gone = this.countUntil(instant);
    if (gone === 0) return;
    this.#dropped = this.#sum(gone - 1);
    this.#first = (this.#first + gone) % (this.#ring.length / WIDTH);
    this.#length -= gone;
  }

  /** Removes units from the newest entries. */
  takeBack(units: number): void {
    let left = units;
    while (left > 0 && this.#length > 0) {
      const newest = this.#length - 1;
      const units = this.units(newest);
      if (units > left) this.#ring[this.#cell(newest) + 1] = this.#sum(newest) - left;
      else this.#length--;
      left -= units;
    }
  }

  /** Returns an independent copy. */
  copy(): Log {
    const copy = new Log();
    copy.#ring = this.#ring.slice();
    copy.#first = this.#first;
    copy.#length = this.#length;
    copy.#dropped = this.#dropped;
    copy.isSummary = this.isSummary;
    return copy;
  }

  /** Moves every instant back. */
  rewind(ms: number): void {
    for (let index = 0; index < this.#length; index++) {
      (this.#ring[this.#cell(index)] as number) -= ms;
    }
  }

  #cell(index: number): number {
    return ((this.#first + index) * WIDTH) % this.#ring.length;
  }

  /** Returns the units of all entries up to one, including those before the oldest. */
  #sum(index: number): number {
    return index < 0 ? this.#dropped : (this.#ring[this.#cell(index) + 1] as number);
  }

  #set(index: number, { instant, sum }: { readonly instant: number; readonly sum: number }): void {
    const cell = this.#cell(index);
    this.#ring[cell] = instant;
    this.#ring[cell + 1] = sum;
  }

  /**
   * Returns the first index from which a condition is true for all entries; the length if there is
   * none.
   */
  #search(isTrue: (index: number) => boolean): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isTrue(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Rewrites all entries with room for a given number. Sums start at the oldest. */
  #write(entries: number): void {
    const ring = new Array<number>(entries * WIDTH).fill(0);
    for (let index = 0; index < this.#length; index++) {
      ring[index * WIDTH] = this.instant(index);
      ring[index * WIDTH + 1] = this.unitsOfFirst(index + 1);
    }
    this.#ring = ring;
    this.#first = 0;
    this.#dropped = 0;
  }
}
