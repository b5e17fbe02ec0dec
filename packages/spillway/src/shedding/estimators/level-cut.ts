import type { Random } from "../../limits/core/index.ts";
import type { LevelLoad } from "./level-load.ts";

/** The settings of a cut. */
export type CutSettings = {
  readonly load: LevelLoad;
  /** Levels before this one always stay. */
  readonly from: number;
  /** Returns random numbers, which decide at the border. */
  readonly random: Random;
};

/** Decides which levels stay if only a share of the load can: the lowest, which matter most. */
export class LevelCut {
  readonly #settings: CutSettings;
  #cut: number;

  constructor(settings: CutSettings) {
    this.#settings = settings;
    this.#cut = settings.load.levels;
  }

  /** The level of which only a part stays; the number of levels if all work stays. */
  get border(): number {
    return Math.floor(this.#cut);
  }

  /** Lets a share of the load stay, from 0 to 1, not counting levels that always stay. */
  cutTo(share: number): void {
    const { load, from } = this.#settings;
    this.#cut = share >= 1 ? load.levels : load.levelWith({ from, share });
  }

  /**
   * Returns whether work of a level stays. At the border this is random, as often as the share
   * needs it.
   */
  admits(level: number): boolean {
    if (level !== this.border) return level < this.border;
    return this.#settings.random() < this.#cut - this.border;
  }
}
