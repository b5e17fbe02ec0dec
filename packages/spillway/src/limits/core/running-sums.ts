/**
 * A list of numbers with the sum of all up to each of them. Adding, clearing and finding where a
 * sum is reached take steps that grow with the logarithm of the length.
 */
export class RunningSums {
  // Both may be longer than the part in use: see `doubled`.
  #numbers: number[] = [];
  /**
   * A binary indexed tree (Fenwick 1994). Its i-th cell, from 1, is the sum of the numbers up to
   * the i-th, as many as the lowest set bit of i.
   */
  #tree: number[] = [];
  #length = 0;

  /**
   * Creates sums as if each of the first `length` numbers had been pushed. The array, which may be
   * longer, is kept.
   */
  static of(numbers: number[], length: number): RunningSums {
    const sums = new RunningSums();
    [sums.#numbers, sums.#tree, sums.#length] = [numbers, numbers.slice(), length];
    for (let cell = 1; cell <= length; cell++) {
      const above = cell + lowestBit(cell);
      if (above <= length) sums.#tree[above - 1] = sums.#cell(above) + sums.#cell(cell);
    }
    return sums;
  }

  /** Returns a number; 0 is the first. */
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

  /** Sets a number to 0. */
  clear(index: number): void {
    this.lower(index, this.at(index));
  }

  /** Reduces a number. */
  lower(index: number, by: number): void {
    this.#numbers[index] = this.at(index) - by;
    for (let cell = index + 1; cell <= this.#length; cell += lowestBit(cell)) {
      this.#tree[cell - 1] = this.#cell(cell) - by;
    }
  }

  /** Returns the sum of the first `count` numbers. */
  ofFirst(count: number): number {
    let sum = 0;
    for (let cell = count; cell > 0; cell -= lowestBit(cell)) sum += this.#cell(cell);
    return sum;
  }

  /** Returns the index of the number at which the sum is reached; the length if it never is. */
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
 * Copies numbers to an array twice as long. The runtime itself adds room for only 16 more numbers,
 * and would copy the array repeatedly if numbers are removed and added in turn.
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
