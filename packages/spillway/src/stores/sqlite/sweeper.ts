import type { Rows } from "./rows.ts";

/** Rows that are written between two sweeps. */
const EVERY = 64;
/** Rows that a sweep reads: four for each written row, so that expired rows can't accumulate. */
const LOOKED_AT = 256;

/**
 * Removes expired rows as a part of writes, a few at a time, in turn through the whole table.
 *
 * It needs no timer, no long lock, and no index, which every write would have to update. The first
 * write of a process sweeps. Each sweep starts where the last one of any process ended, so programs
 * that write once and exit sweep as well.
 */
export class SqliteSweeper {
  #left = 0;

  /** Counts written rows, and sweeps in their transaction when a sweep is due. */
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
