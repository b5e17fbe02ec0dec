/** The fraction of a quota's use that is this client's, for quotas that come back all at once. */

/** The weight of the fraction of the previous period, as a fraction of the capacity. */
const KNOWN_PART_OF_QUOTA = 0.02;
/** The smallest fraction that this client uses, even if others use nearly everything. */
const LEAST_OWN_PART = 0.05;

export class QuotaFraction {
  #part = 1;
  #before = 1;
  #own = 0;
  #times = 0;

  /** The fraction, from 0.05 to 1. */
  get part(): number {
    return this.#part;
  }

  /** Counts units that are used here. The answer is identified by the result. */
  use(count: number): { readonly own: number; readonly times: number } {
    this.#own += count;
    return { own: this.#own, times: this.#times };
  }

  /** Starts a new period: the whole quota is back. */
  again(): void {
    this.#before = this.#part;
    this.#own = 0;
    this.#times++;
  }

  /**
   * Learns how much all clients had used when a request was sent here. Ignores answers of earlier
   * periods.
   */
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
