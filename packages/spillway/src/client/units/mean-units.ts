/** The weight of the newest request is 1 divided by this number. */
const MEAN_SAMPLES = 10;

/** How many units recent requests use on average: an exponential moving average for each unit. */
export class MeanUnits {
  readonly #means = new Map<string, number>();

  /** The number of units that have an average. */
  get size(): number {
    return this.#means.size;
  }

  /**
   * Records how many units a request uses. A unit that no request uses gets no average, because
   * servers may name any number of them.
   */
  learn(unit: string, count: number): void {
    const mean = this.#means.get(unit) ?? count;
    if (count === 0 && !this.#means.has(unit)) return;
    this.#means.set(unit, mean + (count - mean) / MEAN_SAMPLES);
  }

  /** Returns the average of a unit; undefined if no request has used any. */
  of(unit: string): number | undefined {
    return this.#means.get(unit);
  }
}
