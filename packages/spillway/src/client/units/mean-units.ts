/** The newest request weighs one part in so many. */
const MEAN_SAMPLES = 10;

/** How many units a request uses on average, lately: an exponential moving mean for each unit that requests use. */
export class MeanUnits {
  readonly #means = new Map<string, number>();

  /** Units of which a mean is known. */
  get size(): number {
    return this.#means.size;
  }

  /** A request uses so many of a unit. Servers name units: one that no request uses has no mean. */
  learn(unit: string, count: number): void {
    const mean = this.#means.get(unit) ?? count;
    if (count === 0 && !this.#means.has(unit)) return;
    this.#means.set(unit, mean + (count - mean) / MEAN_SAMPLES);
  }

  /** Undefined where no request has used any. */
  of(unit: string): number | undefined {
    return this.#means.get(unit);
  }
}
