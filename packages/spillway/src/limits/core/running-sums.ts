/**
 * Numbers in a row, and the sum of all up to each of them. Adding one, clearing one and finding where
 * a sum is reached take a number of steps that grows with the logarithm of how many there are.
 */
export class RunningSums {
  // Both may be longer than what is in use: see `doubled`.
  #numbers: number[] = [];
  /**
   * A binary indexed tree (Fenwick 1994): its i-th cell, from 1, is the sum of the numbers up to the
   * i-th, of as many as the lowest bit of i says.
   */
  #tree: number[] = [];
  #length = 0;

  /** As if each of the first numbers had been pushed. The array, which may be longer, is kept. */
  static of(numbers: number[], length: number): RunningSums {
    const sums = new RunningSums();
    [sums.#numbers, sums.#tree, sums.#length] = [numbers, numbers.slice(), length];
    for (let cell = 1; cell <= length; cell++) {
      const above = cell + lowestBit(cell);
      if (above <= length) sums.#tree[above - 1] = sums.#cell(above) + sums.#cell(cell);
    }
    return sums;
  }

  /** One of the numbers; 0 is the first. */
  at(index: number): number {
    return this.#numbers[index] as number;
  }

  /** Adds a number at the end. */
  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      [this.#numbers, this.#tree] = [doubled(this.#numbers), doubled(this.#tree)];
    }
    this.#numbers[this.#length++] = number;
    const cell = this.#length;
    let sum = number;
    for (let part = 1; part < lowestBit(cell); part *= 2) sum += this.#cell(cell - part);
    this.#tree[cell - 1] = sum;
  }

  /** Removes all but the first numbers. */
  cut(length: number): void {
    this.#length = length;
  }

  /** Makes a number 0. */
  clear(index: number): void {
    this.lower(index, this.at(index));
  }

  /** Takes so much from a number. */
  lower(index: number, by: number): void {
    this.#numbers[index] = this.at(index) - by;
    for (let cell = index + 1; cell <= this.#length; cell += lowestBit(cell)) {
      this.#tree[cell - 1] = this.#cell(cell) - by;
    }
  }

  /** The sum of so many numbers, from the first. */
  ofFirst(count: number): number {
    let sum = 0;
    for (let cell = count; cell > 0; cell -= lowestBit(cell)) sum += this.#cell(cell);
    return sum;
  }

  /** The index of the number with which the sum comes to so much; their count where it never does. */
  reaching(sum: number): number {
    let [count, left] = [0, sum];
    for (let step = highestBit(this.#length); step > 0; step >>>= 1) {
      if (count + step > this.#length) continue;
      const part = this.#cell(count + step);
      if (part >= left) continue;
      count += step;
      left -= part;
    }
    return count;
  }

  #cell(cell: number): number {
    return this.#tree[cell - 1] as number;
  }
}

/**
 * The same numbers in an array twice as long. One that the runtime makes longer has room for 16 more
 * at once, and one that is popped and pushed in turn is copied again and again.
 */
export function doubled(numbers: readonly number[]): number[] {
  const more = new Array<number>(Math.max(1, 2 * numbers.length)).fill(0);
  for (let index = 0; index < numbers.length; index++) more[index] = numbers[index] as number;
  return more;
}

function lowestBit(cell: number): number {
  return cell & -cell;
}

function highestBit(length: number): number {
  return length === 0 ? 0 : 2 ** (31 - Math.clz32(length));
}
