/** The weight of the last window in the moving mean. */
const WEIGHT = 0.3;

/** A share of the load, from 0 to 1, and the level from which the load is counted. */
export type LoadFraction = { readonly from: number; readonly share: number };

/** The load at each level: a moving mean of requests over windows. A lower level matters more. */
export class LevelLoad {
  /** The number of levels. */
  readonly levels: number;
  readonly #usual: Float64Array;
  #seen: Float64Array;
  #windows = 0;

  constructor(levels: number) {
    this.levels = levels;
    this.#usual = new Float64Array(levels);
    this.#seen = new Float64Array(levels);
  }

  /** Counts a request. */
  add(level: number): void {
    this.#seen[level] = (this.#seen[level] as number) + 1;
  }

  /** Ends a window and updates the means. */
  roll(): void {
    const weight = this.#windows++ === 0 ? 1 : WEIGHT;
    for (let level = 0; level < this.levels; level++) {
      const usual = this.#usual[level] as number;
      this.#usual[level] = usual + weight * ((this.#seen[level] as number) - usual);
    }
    this.#seen = new Float64Array(this.levels);
  }

  /**
   * Returns the level at which a share of the load ends. Its fraction is the part of that level
   * within the share.
   */
  levelWith({ from, share }: LoadFraction): number {
    const load = this.#usual.subarray(from);
    let left = share * load.reduce((sum, each) => sum + each, 0);
    for (let level = 0; level < load.length; level++) {
      const each = load[level] as number;
      if (each > 0 && each >= left) return from + level + left / each;
      left -= each;
    }
    return this.levels;
  }
}
