/** Which part of a quota that comes back all at once is used here, where others use it as well. */

/** What was known before is worth this part of a quota. */
const KNOWN_PART_OF_QUOTA = 0.02;
/** Whoever else uses it, so much of it is tried here. */
const LEAST_OWN_PART = 0.05;

export class QuotaFraction {
  #part = 1;
  #before = 1;
  #own = 0;
  #times = 0;

  /** From 0 to 1. */
  get part(): number {
    return this.#part;
  }

  /** Units are used here; by what is returned the answer is recognized. */
  use(count: number): { readonly own: number; readonly times: number } {
    this.#own += count;
    return { own: this.#own, times: this.#times };
  }

  /** All of it is back. */
  again(): void {
    this.#before = this.#part;
    this.#own = 0;
    this.#times++;
  }

  /** So much of it was used by all when so much was used here. */
  heard(
    { own, times }: { readonly own: number; readonly times: number },
    { used, capacity }: { readonly used: number; readonly capacity: number },
  ): void {
    if (times !== this.#times) return;
    const known = KNOWN_PART_OF_QUOTA * capacity;
    const seen = (own + this.#before * known) / (Math.max(own, used) + known);
    this.#part = Math.min(1, Math.max(LEAST_OWN_PART, seen));
  }
}
