import { hash } from "../../algorithms/index.ts";

/**
 * What is still known of keys that had to be forgotten while they were refused.
 *
 * A fixed number of cells; each holds the latest instant at which one of its keys would have been
 * fresh again. Until then a key of that cell which is not known otherwise is refused: the forgotten
 * one rightly, a stranger wrongly, but nobody is let through who should not be.
 */
export class Floor {
  readonly #cells: Float64Array;

  /** @param cells How many; a power of two. */
  constructor(cells: number) {
    this.#cells = new Float64Array(cells);
  }

  /** Remembers that a key is to be refused until an instant. */
  raise(key: string | undefined, instant: number): void {
    const cell = this.#cell(key);
    this.#cells[cell] = Math.max(this.until(key), instant);
  }

  /** The instant until which a key that is not known otherwise is refused; 0 for at once. */
  until(key: string | undefined): number {
    return this.#cells[this.#cell(key)] as number;
  }

  #cell(key: string | undefined): number {
    return hash(key ?? "") & (this.#cells.length - 1);
  }
}
