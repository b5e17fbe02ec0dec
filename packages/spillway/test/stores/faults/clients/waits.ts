/** Buckets a millisecond. */
const FINENESS = 10;
/** Milliseconds up to which waits are told apart. */
const MOST = 2000;

/** How long callers waited: a histogram, for there are millions. */
export class Waits {
  readonly #buckets = new Uint32Array(MOST * FINENESS + 1);
  #count = 0;
  #longest = 0;

  add(ms: number): void {
    const bucket = Math.min(Math.floor(ms * FINENESS), MOST * FINENESS);
    this.#buckets[bucket] = (this.#buckets[bucket] as number) + 1;
    this.#count++;
    this.#longest = Math.max(this.#longest, ms);
  }

  get longest(): number {
    return this.#longest;
  }

  /** To a tenth of a millisecond; 0 where nobody has waited. */
  get median(): number {
    let left = this.#count / 2;
    const middle = this.#buckets.findIndex((count) => {
      left -= count;
      return count > 0 && left <= 0;
    });
    return Math.max(0, middle) / FINENESS;
  }
}
