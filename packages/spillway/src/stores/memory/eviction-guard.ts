import { hash } from "../../algorithms/index.ts";
import { type Budget, budgetId } from "../../core/index.ts";

/** How far the clock may go back before the guard goes back with it, in milliseconds. */
const TREMBLE = 1000;

/**
 * What is still known of keys that had to be forgotten while they were refused.
 *
 * A fixed number of cells; each holds the latest instant at which one of its budgets would have been
 * fresh again. Until then a budget of that cell which is not known otherwise is refused: the
 * forgotten one rightly, a stranger wrongly, but nobody is let through who should not be.
 */
export class EvictionGuard {
  readonly #cells: Float64Array;
  #latest = 0;

  /** @param cells How many; a power of two. */
  constructor(cells: number) {
    this.#cells = new Float64Array(cells);
  }

  /** Remembers that a budget is to be refused for `ms` from now. */
  refuse(budget: Budget, ms: number, now: number): void {
    this.#rewind(now);
    const cell = this.#cell(budget);
    this.#cells[cell] = Math.max(this.#cells[cell] as number, now + ms);
  }

  /** Milliseconds for which a budget that is not known otherwise is refused; 0 for none. */
  refusedFor(budget: Budget, now: number): number {
    this.#rewind(now);
    return Math.max(0, (this.#cells[this.#cell(budget)] as number) - now);
  }

  #cell(budget: Budget): number {
    return hash(budgetId(budget)) & (this.#cells.length - 1);
  }

  /** A clock that went back takes what is remembered back with it. */
  #rewind(now: number): void {
    const back = this.#latest - now;
    if (back >= TREMBLE) {
      for (let cell = 0; cell < this.#cells.length; cell++) {
        this.#cells[cell] = Math.max(0, (this.#cells[cell] as number) - back);
      }
    }
    if (back < 0 || back >= TREMBLE) this.#latest = now;
  }
}
