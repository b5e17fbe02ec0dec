import type { Selection } from "../selection.ts";

/** One number: what it is of, how much, of what. */
export type Measured = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What was measured in each round, in the same unit; absent where it was measured once. */
  readonly rounds?: readonly number[];
};

/** Numbers that can be compared; the first is this project's, which the others are held against. */
export type Group = { readonly title: string; readonly rows: readonly Measured[] };

/** Receives how far a suite is, a line at a time. */
export type Progress = (line: string) => void;

/** How a suite is run. */
export type Order = {
  readonly progress: Progress;
  /** What of it is wanted. */
  readonly only: Selection;
};

/** What a suite measured. */
export type Outcome = {
  readonly groups: readonly Group[];
  /** What is shown. Default: a table for each group. */
  readonly text?: string;
};

/** Measures all that it can. */
export type Suite = (progress: Progress) => Promise<readonly Group[]>;

/** Measures what is wanted. @throws SelectionError where that is nothing that it can measure */
export type SelectiveSuite = (order: Order) => Promise<Outcome>;
