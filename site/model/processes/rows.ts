/** What is recorded of processes. */

/** Milliseconds between two readings. */
export const STEP = 100;
/** A process over time: a number for each reading. */
export type ProcessRow = {
  readonly name: string;
  /** Units that it holds, idle or in flight, at the end of each step. */
  readonly units: readonly number[];
  /** Calls within each step. */
  readonly admitted: readonly number[];
  readonly refused: readonly number[];
};

export type ProcessesPlay = {
  readonly rows: readonly ProcessRow[];
  /** Units that the store has left. */
  readonly left: readonly number[];
  /** Units of a process that was killed which have not come back. Only where they do. */
  readonly missing: readonly number[];
  readonly capacity: number;
  readonly storeCalls: number;
  readonly sentences: readonly string[];
};
