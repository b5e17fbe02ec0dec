import type { Rows } from "./rows.ts";

/** Rows that are written between two looks for such as may go. */
const EVERY = 64;
/** Rows that are read then: four for each that was written, so that garbage can't pile up. */
const LOOKED_AT = 256;

/**
 * Removes rows that equal fresh ones: a few at a time, as work goes by, round and round the table. No
 * timer, no long lock, and no index, which every write would have to keep.
 *
 * The first look is at the first write, and each goes on where the last one of any process ended: so
 * programs that write once and end sweep as well.
 */
export class SqliteSweeper {
  #left = 0;

  /** Notes how many rows were written, in whose transaction it sweeps if it is time. */
  written(written: number, rows: Rows, now: number): void {
    if (written === 0) return;
    this.#left -= written;
    if (this.#left >= 0) return;
    this.#left += EVERY;
    const after = rows.mark();
    const until = rows.endOf(after, LOOKED_AT);
    rows.sweep({ after, until }, now);
    rows.setMark(until ?? "");
  }
}
