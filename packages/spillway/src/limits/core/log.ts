/** Numbers in one entry: its instant, and the units of all entries so far, itself included. */
const WIDTH = 2;
/** Sums are counted anew before they could be inexact. */
const MOST_SUM = 2 ** 52;

/**
 * Admitted asks in order of time, in a ring of 16 bytes an entry; entries of one instant are one.
 *
 * Units are kept as running sums, so that finding an instant, and how many units are before it, costs
 * the logarithm of the length.
 */
export class Log {
  // A plain array: for a handful of numbers it is a third of a typed array.
  #ring: number[] | Float64Array = [];
  #first = 0;
  #length = 0;
  /** The sum before the oldest entry. */
  #dropped = 0;
  /**
   * Whether an entry may stand for several, at the instant of the last of them: then a store has said what
   * the answers to certain asks depend on, and nothing else.
   */
  isSummary = false;

  /**
   * Makes a log of instant and units of each entry, oldest first.
   *
   * @param numbers Taken over. Room for more entries after the first `length` saves moving them.
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

  /** Instant and units of each entry, oldest first. */
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

  /** How many entries there are. */
  get length(): number {
    return this.#length;
  }

  /** The instant of an entry; 0 is the oldest. */
  instant(index: number): number {
    return this.#ring[this.#cell(index)] as number;
  }

  /** The units of an entry. */
  units(index: number): number {
    return this.#sum(index) - this.#sum(index - 1);
  }

  /** The units of so many of the oldest entries. */
  unitsOfFirst(count: number): number {
    return this.#sum(count - 1) - this.#dropped;
  }

  /** How many entries are not after an instant. */
  countUntil(instant: number): number {
    return this.#search((index) => this.instant(index) > instant);
  }

  /** The oldest entry with which so many units have been admitted, counted from the oldest. */
  indexOfUnits(units: number): number {
    return this.#search((index) => this.unitsOfFirst(index + 1) >= units);
  }

  /** Adds units at an instant that is not before the newest; an entry of the same one is joined. */
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

  /** Drops the oldest entries up to and including an instant. */
  dropUntil(instant: number): void {
    const gone = this.countUntil(instant);
    if (gone === 0) return;
    this.#dropped = this.#sum(gone - 1);
    this.#first = (this.#first + gone) % (this.#ring.length / WIDTH);
    this.#length -= gone;
  }

  /** Takes units off the newest entries. */
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

  /** A log of its own that says the same. */
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

  /** The units of all entries up to one, and of those that were before the oldest. */
  #sum(index: number): number {
    return index < 0 ? this.#dropped : (this.#ring[this.#cell(index) + 1] as number);
  }

  #set(index: number, { instant, sum }: { readonly instant: number; readonly sum: number }): void {
    const cell = this.#cell(index);
    this.#ring[cell] = instant;
    this.#ring[cell + 1] = sum;
  }

  /** The first entry of which something is true that is true of all after it; the length for none. */
  #search(isTrue: (index: number) => boolean): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isTrue(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Writes all entries anew, with sums that count from the oldest, where there is room for so many. */
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
