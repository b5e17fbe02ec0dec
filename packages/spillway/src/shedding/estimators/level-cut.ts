import type { Random } from "../../limits/core/index.ts";
import type { LevelLoad } from "./level-load.ts";

/** What a cut works with. */
export type CutSettings = {
  readonly load: LevelLoad;
  /** Levels before this one stay, whatever the share. */
  readonly from: number;
  /** Decides at the border. */
  readonly random: Random;
};

/**
 * Which levels stay where only a share of the load can: counted from the top, what is below goes.
 */
export class LevelCut {
  readonly #settings: CutSettings;
  #cut: number;

  constructor(settings: CutSettings) {
    this.#settings = settings;
    this.#cut = settings.load.levels;
  }

  /** The level of which only a part stays; the number of levels while all work does. */
  get border(): number {
    return Math.floor(this.#cut);
  }

  /** Lets a share stay, from 0 to 1, of the load that can go. */
  cutTo(share: number): void {
    const { load, from } = this.#settings;
    this.#cut = share >= 1 ? load.levels : load.levelWith({ from, share });
  }

  /** Whether work of a level stays; at the border chance decides, as far as the share needs it. */
  admits(level: number): boolean {
    if (level !== this.border) return level < this.border;
    return this.#settings.random() < this.#cut - this.border;
  }
}
