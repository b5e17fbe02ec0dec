/** How much the last window counts beside those before. */
const WEIGHT = 0.3;

/** From which level on how large a share is looked for, from 0 to 1. */
export type LoadFraction = { readonly from: number; readonly share: number };

/**
 * How much is asked at each level, as a moving mean over windows; the lower, the more it matters.
 */
export class LevelLoad {
  /** How many levels there are. */
  readonly levels: number;
  readonly #usual: Float64Array;
  #seen: Float64Array;
  #windows = 0;

  constructor(levels: number) {
    this.levels = levels;
    this.#usual = new Float64Array(levels);
    this.#seen = new Float64Array(levels);
  }

  /** Counts what is asked. */
  add(level: number): void {
    this.#seen[level] = (this.#seen[level] as number) + 1;
  }

  /** Ends a window. */
  roll(): void {
    const weight = this.#windows++ === 0 ? 1 : WEIGHT;
    for (let level = 0; level < this.levels; level++) {
      const usual = this.#usual[level] as number;
      this.#usual[level] = usual + weight * ((this.#seen[level] as number) - usual);
    }
    this.#seen = new Float64Array(this.levels);
  }

  /**
   * Up to which level there is a share of the load; its fraction is the part of the last of them.
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
