import type { Random } from "../../limits/core/index.ts";
import type { LevelLoad } from "./level-load.ts";

/** The settings of a cut. */
export type CutSettings = {
  readonly load: LevelLoad;
  /** Levels before this one are always admitted. */
  readonly from: number;
  /** Returns random numbers, which decide at the border. */
  readonly random: Random;
};

/**
 * Decides which levels are admitted if only a share of the load can be: the lowest, which matter
 * most.
 */
export class LevelCut {
  readonly #settings: CutSettings;
  #cut: number;

  constructor(settings: CutSettings) {
    this.#settings = settings;
    this.#cut = settings.load.levels;
  }

  /** The level that is admitted only in part; the number of levels if all work is admitted. */
  get border(): number {
    return Math.floor(this.#cut);
  }

  /** Admits a share of the load, from 0 to 1, not counting levels that are always admitted. */
  cutTo(share: number): void {
    const { load, from } = this.#settings;
    this.#cut = share >= 1 ? load.levels : load.levelWith({ from, share });
  }

  /**
   * Returns whether work of a level is admitted. At the border this is random, in proportion to the
   * share.
   */
  admits(level: number): boolean {
    if (level !== this.border) return level < this.border;
    return this.#settings.random() < this.#cut - this.border;
  }
}
